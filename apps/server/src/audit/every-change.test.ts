import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { nameOf } from "../assembly/http/testing.ts";
import { adminPassword, startTestServer, type TestServer } from "../testing/test-server.ts";
import { AuditWalk, secrets, walkThroughEverything } from "./testing-walk.ts";
import { type ChainVerdict, verifyChains } from "./verify.ts";

let server: TestServer;
let walk: AuditWalk;
let sessionId: string;
let plannedSessionId: string;
let followUpId: string;

beforeAll(async () => {
  server = await startTestServer();
  walk = new AuditWalk(server);
  ({ sessionId, plannedSessionId, followUpId } = await walkThroughEverything(walk));
});
afterAll(() => server.close());

/** What these change is a record of its own (scans, notices), or nothing that the audit log is about (a hint to read Shopify again). */
const withoutEntries = [
  contract.requestPasskeyForLogin,
  contract.requestPasskeyForProof,
  contract.beginAuthenticator,
  contract.beginPasskey,
  contract.postScan,
  contract.postScanBatch,
  contract.undoScan,
  contract.reportQueue,
  contract.checkCountRows,
  contract.dismissNotice,
  contract.shopifyWebhook,
].map(nameOf);

test("every call that may change something was made, so that a new one has to be added here", () => {
  const walked = walk.recorded.map(([call]) => call);
  const changing = contract.allCalls.filter(({ method }) => method !== "GET").map(nameOf);
  expect([...new Set(walked)].sort()).toEqual(changing.sort());
});

test("every change left its entries, and what changed nothing left none", () => {
  const counting = walk.recorded.filter(([call]) => !withoutEntries.includes(call));
  expect(counting).toEqual([
    ["POST /api/stores", ["store.created"]],
    ["PUT /api/stores/:id", ["store.changed"]],
    ["PUT /api/stores/:id", []],
    ["POST /api/locations", ["location.created"]],
    ["PUT /api/locations/:id", ["location.renamed"]],
    ["POST /api/locations/:id/areas/bulk", ["areas.created"]],
    ["PUT /api/areas/:id", ["area.renamed"]],
    ["POST /api/stores", ["store.created"]],
    ["POST /api/locations", ["location.created"]],
    ["POST /api/stores/:id/copied-areas", ["areas.copied"]],
    ["POST /api/stores/:id/copied-areas", []],
    ["DELETE /api/stores/:id", ["store.deleted"]],
    ["POST /api/locations/:id/areas/bulk", ["areas.created"]],
    ["POST /api/areas/merge", ["area.merged"]],
    ["DELETE /api/areas/:id", ["area.deleted"]],
    ["POST /api/locations", ["location.created"]],
    ["DELETE /api/locations/:id", ["location.deleted"]],
    ["POST /api/auth/newCounterAccount", ["account.created"]],
    ["PUT /api/auth/counters/:id", ["account.changed"]],
    ["PUT /api/auth/counters/:id", []],
    ["POST /api/auth/counter/login", ["login.opened"]],
    ["DELETE /api/auth/counters/:id", ["account.deleted"]],
    ["POST /api/auth/admin/login", ["login.opened"]],
    ["DELETE /api/auth/logins/:id", ["logins.ended"]],
    ["POST /api/auth/logins/end-others", ["logins.ended"]],
    ["POST /api/auth/logins/end-others", []],
    ["POST /api/auth/admin/change-password", ["admin_password.changed"]],
    ["POST /api/auth/security/authenticator/confirm", ["second_factor.added"]],
    ["POST /api/auth/security/passkeys", ["second_factor.added"]],
    ["POST /api/auth/proof", []],
    ["POST /api/auth/proof", ["recovery_code.used"]],
    ["POST /api/auth/admin/second-factor", ["login.opened"]],
    ["PUT /api/auth/security", ["proof.chosen"]],
    ["PUT /api/auth/security", []],
    ["PUT /api/auth/security", ["proof.chosen"]],
    ["POST /api/auth/security/recovery-codes", ["recovery_codes.renewed"]],
    ["DELETE /api/auth/security/passkeys/:id", ["second_factor.removed"]],
    ["DELETE /api/auth/security/authenticator", ["second_factor.removed"]],
    ["POST /api/session/start", ["session.started"]],
    ["PUT /api/session/:id", ["session.renamed"]],
    ["PUT /api/session/:id", []],
    ["POST /api/packs", ["packs.saved"]],
    ["POST /api/packs", []],
    ["POST /api/invitations/create", ["invitation.created"]],
    ["DELETE /api/invitations/:id", ["invitation.revoked"]],
    ["POST /api/invitations/create", ["invitation.created"]],
    ["POST /api/auth/invite/:token/accept", ["invitation.accepted"]],
    ["POST /api/auth/invite/:token/accept", []],
    ["PUT /api/session/:id/assignments", ["areas.assigned"]],
    ["PUT /api/session/:id/assignments", []],
    ["POST /api/session-code/:sessionId", ["session_code.opened"]],
    ["POST /api/session-code/:sessionId", []],
    ["POST /api/auth/code/:token/ask", []],
    ["POST /api/join-requests/:id/decline", ["counter.declined"]],
    ["POST /api/join-requests/:id/decline", []],
    ["POST /api/join-requests/:id/admit", ["counter.admitted"]],
    ["POST /api/join-requests/:id/admit", []],
    ["POST /api/auth/code/:token/ask", []],
    ["PUT /api/session-code/:id", ["counter.admitted", "session_code.admitting"]],
    ["POST /api/auth/code/:token/ask", ["counter.admitted"]],
    ["PUT /api/session-code/:id", ["session_code.admitting"]],
    ["DELETE /api/session-code/:id", ["session_code.revoked"]],
    ["POST /api/area/finish", ["area.finished"]],
    ["POST /api/area/finish", []],
    ["POST /api/area/finish", []],
    ["POST /api/area/finish", ["area.total_declared", "area.finished"]],
    ["POST /api/area/finish", []],
    ["POST /api/areas/restore", ["area.restored"]],
    ["POST /api/area/reset", ["area.reset"]],
    ["POST /api/area/finish", ["area.finished"]],
    ["POST /api/session/:id/samples", ["sample.committed", "sample.drawn", "second_count.asked"]],
    ["POST /api/session/:id/samples/void", ["sample.voided"]],
    ["PUT /api/session/:id/tolerance", ["tolerance.changed"]],
    ["PUT /api/session/:id/tolerance", []],
    ["PUT /api/session/:id/tolerance", ["tolerance.changed"]],
    ["PUT /api/stores/:id/tolerance", ["tolerance.changed"]],
    ["PUT /api/stores/:id/tolerance", ["tolerance.changed"]],
    ["POST /api/session/:id/second-counts", ["second_count.asked"]],
    ["POST /api/session/:id/second-counts", []],
    ["POST /api/areas/second-count", ["second_count.asked"]],
    ["POST /api/areas/second-count", []],
    ["POST /api/areas/second-count/cancel", ["second_count.cancelled"]],
    ["POST /api/areas/second-count", ["second_count.asked"]],
    ["POST /api/area/finish", ["area.finished", "second_count.asked"]],
    ["POST /api/areas/second-count/cancel", ["second_count.cancelled"]],
    ["POST /api/session/:id/count-differences/settle", ["second_count.settled"]],
    ["POST /api/session/:id/searches", ["search.created"]],
    ["POST /api/session/:id/searches", []],
    ["POST /api/session/:id/search-lists/:number/answer", ["search.answered"]],
    ["POST /api/session/:id/search-lists/:number/answer", []],
    ["POST /api/session/:id/searches/decide", ["search.decided"]],
    ["POST /api/session/:id/searches/decide", []],
    ["POST /api/session/:id/searches/:number/withdraw", ["search.withdrawn"]],
    ["POST /api/session/:id/searches/:number/withdraw", []],
    ["POST /api/areas/reopen", ["area.reopened"]],
    ["POST /api/scans/:id/resolve", ["exception.accepted"]],
    ["POST /api/session/:id/exceptions/take-back", ["exception.taken_back"]],
    ["POST /api/session/:id/exceptions/take-back", []],
    ["POST /api/session/:id/exceptions/decide", ["exception.accepted"]],
    ["POST /api/session/:id/exceptions/decide", []],
    ["POST /api/scans/:id/resolve", ["exception.dismissed"]],
    ["POST /api/session/:id/exceptions/take-back", ["exception.taken_back"]],
    ["POST /api/session/:id/exceptions/take-back", []],
    ["POST /api/session/:id/exceptions/decide", ["exception.dismissed"]],
    ["POST /api/session/:id/exceptions/decide", []],
    ["POST /api/auth/logout", ["login.ended"]],
    ["POST /api/session/:id/count-rows", ["counts.loaded"]],
    ["POST /api/session/:id/count-rows", []],
    ["POST /api/session/:id/sheets", ["sheets.printed"]],
    ["POST /api/session/:id/sheets", ["sheets.printed"]],
    ["POST /api/session/:id/sheets/:number/return", ["sheet.returned"]],
    ["POST /api/session/:id/sheets/:number/return", []],
    ["POST /api/session/:id/sheets/:number/void", ["sheet.voided"]],
    ["POST /api/session/end", ["session.ended"]],
    ["POST /api/report/include/:sessionId", ["figure.included"]],
    ["POST /api/report/include/:sessionId", []],
    ["POST /api/report/include/:sessionId", ["figure.left_out"]],
    ["POST /api/report/adjust-count/:sessionId", ["count.adjusted"]],
    ["POST /api/report/adjust-count/:sessionId", ["count.adjusted"]],
    ["POST /api/report/adjust-count/:sessionId", ["count.adjusted"]],
    ["PUT /api/report/basis/:sessionId", ["basis.chosen"]],
    ["PUT /api/report/basis/:sessionId", ["basis.chosen"]],
    ["PUT /api/report/basis/:sessionId", []],
    ["POST /api/report/auditors-file/:sessionId", ["auditors_file.written"]],
    ["POST /api/session/:id/release", ["session.released"]],
    ["POST /api/session/:id/release", []],
    ["POST /api/report/adjustments/:adjustmentId/cancel", ["deploy.cancelled"]],
    ["POST /api/report/adjustments/:adjustmentId/cancel", ["rollback.cancelled"]],
    ["POST /api/report/deploy/:sessionId", ["deploy.requested", "deploy.concluded"]],
    ["POST /api/report/adjustments/:adjustmentId/settle", ["row.settled"]],
    ["POST /api/report/adjustments/:adjustmentId/resume", ["deploy.resumed", "deploy.concluded"]],
    ["POST /api/report/adjustments/:adjustmentId/leave", ["deploy.rows_left"]],
    ["POST /api/report/rollback/:sessionId", ["rollback.requested", "rollback.concluded"]],
    ["POST /api/report/adjustments/:adjustmentId/resume", ["rollback.resumed", "rollback.concluded"]],
    ["POST /api/session/:id/follow-up", ["session.started"]],
    ["POST /api/session-plans", ["plan.created"]],
    ["DELETE /api/session-plans/:id", ["plan.deleted"]],
    ["POST /api/session-plans", ["plan.created"]],
    ["PUT /api/session-plans/:id", ["plan.changed"]],
    ["PUT /api/session-plans/:id", []],
    ["POST /api/session-plans/:id/start", ["session.started", "invitation.created"]],
    ["POST /api/session-plans/:id/start", []],
    ["POST /api/session/end", ["session.ended"]],
    ...[["area_stated"], ["area_stated"], [], ["area_taken_back"], [], ["area_stated"]].map((actions) => [
      "POST /api/session/:id/coverage/areas",
      actions.map((action) => `coverage.${action}`),
    ]),
    ["POST /api/session/:id/coverage/devices", ["coverage.device_stated"]],
    ["POST /api/session/:id/coverage/devices", []],
    ["POST /api/session/:id/coverage/devices", ["coverage.device_taken_back"]],
    ["POST /api/session/:id/coverage/devices", ["coverage.device_stated"]],
    ["POST /api/session/:id/coverage/beyond-tolerance", ["coverage.difference_stated"]],
    ["POST /api/session/:id/coverage/beyond-tolerance", ["coverage.difference_taken_back"]],
    ["POST /api/session/:id/coverage/stock", ["coverage.left_alone"]],
    ["POST /api/session/:id/coverage/stock", []],
    ["POST /api/session/:id/coverage/stock", ["coverage.taken_up"]],
    ["POST /api/session/:id/coverage/stock", []],
    ["POST /api/session/:id/coverage/stock", ["coverage.left_alone"]],
    ["POST /api/session/:id/certificates", ["certificate.issued"]],
    ["POST /api/session/:id/certificates", []],
    ["DELETE /api/stores/:id", ["store.deleted"]],
  ]);
});

test("scans, notices, hints and what only asks left none", () => {
  const others = walk.recorded.filter(([call]) => withoutEntries.includes(call));
  expect(new Set(others.map(([call]) => call))).toEqual(new Set(withoutEntries));
  for (const [call, actions] of others) expect([call, actions]).toEqual([call, []]);
});

test("every action of the contract is one that happens", async () => {
  const rows = await server.database.database
    .selectFrom("auditEntries")
    .select("action")
    .distinct()
    .execute();
  const walked = rows.map(({ action }) => action);
  const byCommands = ["session.archived", "session.brought_back", "installation.restored"];
  expect([...walked, ...byCommands].sort()).toEqual([...contract.AuditAction.options].sort());
});

test("what concerns the session is in its chain, the rest in the general one, and both are whole", async () => {
  const verdicts: ChainVerdict[] = [];
  await server.database.database.transaction().execute(async (transaction) => {
    for await (const verdict of verifyChains(transaction)) verdicts.push(verdict);
  });
  const lastHash = expect.stringMatching(/^[0-9a-f]{64}$/);
  const lengths = new Map([
    [sessionId, 80],
    [followUpId, 2],
    [plannedSessionId, 16],
    ["general", 43],
  ]);
  expect(verdicts).toEqual(
    verdicts.map(({ chain }) => ({ chain, intact: true, length: lengths.get(chain), lastHash })),
  );
  expect(new Set(verdicts.map(({ chain }) => chain))).toEqual(new Set(lengths.keys()));
});

test("what the server did by itself is the server's, what was asked of it the asker's", async () => {
  const rows = await server.database.database
    .selectFrom("auditEntries")
    .select(["action", "actorKind", "actorName"])
    .where("action", "in", ["session.started", "area.finished", "deploy.concluded", "rollback.concluded"])
    .orderBy("id", "desc")
    .orderBy("id")
    .execute();
  const actors = new Map(rows.map((row) => [row.action, [row.actorKind, row.actorName]]));
  expect(Object.fromEntries(actors)).toEqual({
    "session.started": ["admin", "admin"],
    "area.finished": ["counter", "Ada"],
    "deploy.concluded": ["system", "Server"],
    "rollback.concluded": ["system", "Server"],
  });
});

test("a deploy's conclusion carries its counts and net units", async () => {
  const row = await server.database.database
    .selectFrom("auditEntries")
    .select("after")
    .where("action", "=", "deploy.concluded")
    .orderBy("id")
    .executeTakeFirstOrThrow();
  expect(row.after).toEqual({
    status: "applied",
    rolledBack: false,
    items: 3,
    units: -5,
    confirmed: 3,
    confirmedUnits: -5,
    unclear: 0,
    notMoved: 0,
    note: null,
  });
});

test("no password, token or hash of one is in the log", async () => {
  const { rows } = await server.database.pool.query<{ text: string }>(
    "select string_agg(entry::text, ' ') as text from audit_entries entry",
  );
  const text = rows[0]?.text ?? "";
  const { rows: hashes } = await server.database.pool.query<{ secret: string }>(
    `select password_hash as secret from users where password_hash is not null
     union all select encode(token_hash, 'hex') from invitations union all select encode(token_hash, 'hex') from logins`,
  );
  const hidden = [
    adminPassword,
    ...Object.values(secrets),
    ...walk.tokens,
    ...walk.codes,
    ...hashes.map(({ secret }) => secret),
  ];
  expect(walk.codes).toHaveLength(11);
  expect(walk.tokens.every((token) => token.length > 20)).toBe(true);
  expect(hidden.filter((secret) => text.includes(secret))).toEqual([]);
});
