import { randomUUID } from "node:crypto";
import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { adjustmentRoutes } from "../../adjustments/routes.ts";
import { adminPassword, startTestServer, type TestServer } from "../../testing/test-server.ts";
import { wrongGuesses } from "../guess-queries.ts";
import { addAuthenticator, codeOf, stillAuthRoutes } from "../testing/factor-scene.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ slices: [stillAuthRoutes, adjustmentRoutes] });
});
afterAll(() => server.close());
beforeEach(async () => {
  for (const table of ["authenticator_apps", "recovery_codes", "failed_logins"])
    await query(`delete from ${table}`);
  await query("update users set proof_before_moves = null");
  await proved(0);
});

function query(text: string) {
  return server.database.pool.query(text);
}

/** The last proof was so many minutes ago. */
function proved(minutes: number) {
  return query(`update logins set proved_at = now() - interval '${minutes} minutes'`);
}

const missing = { sessionId: randomUUID() };
const moves = [
  ["a deploy", () => server.admin.refusal(contract.deployReport, { params: missing, body: {} })],
  ["a rollback", () => server.admin.refusal(contract.rollbackReport, { params: missing })],
  [
    "resuming one",
    () => server.admin.refusal(contract.resumeAdjustment, { params: { adjustmentId: randomUUID() } }),
  ],
] as const;

/** Of a session that is not there: where nobody is asked for a proof, that is what is said. */
async function codesOfMoves(): Promise<string[]> {
  const refusals = await Promise.all(moves.map(([, move]) => move()));
  return refusals.map(({ code }) => code);
}

const asked = moves.map(() => "REAUTHENTICATION_REQUIRED");
const notAsked = moves.map(() => "NOT_FOUND");

async function choose(proofBeforeMoves: boolean | null): Promise<contract.Security> {
  return (await server.admin.call(contract.chooseProof, { body: { proofBeforeMoves } })).security;
}

const byPassword = { method: "password", password: adminPassword } as const;

describe("before a deploy, a rollback, or resuming one, a proof", () => {
  test("is not asked for where nobody chose it and there is no second factor, however old the login", async () => {
    await query("update logins set proved_at = null");
    expect(await codesOfMoves()).toEqual(notAsked);
  });

  test("is asked for by itself with a second factor, once the last one is ten minutes old", async () => {
    await addAuthenticator(server.admin);
    await proved(9);
    expect(await codesOfMoves()).toEqual(notAsked);
    await proved(11);
    expect(await codesOfMoves()).toEqual(asked);
    await query("update logins set proved_at = null");
    expect(await codesOfMoves()).toEqual(asked);
  });

  test("is asked for without one where somebody chose it, and not with one where somebody chose that", async () => {
    expect(await choose(true)).toMatchObject({ proofBeforeMoves: true, proofIsChosen: true });
    await proved(11);
    expect(await codesOfMoves()).toEqual(asked);
    await proved(0);
    await addAuthenticator(server.admin);
    expect(await choose(false)).toMatchObject({ proofBeforeMoves: false, proofIsChosen: true });
    await proved(11);
    expect(await codesOfMoves()).toEqual(notAsked);
    await proved(0);
    expect(await choose(null)).toMatchObject({ proofBeforeMoves: true, proofIsChosen: false });
  });

  test("refuses in a sentence under 403, which ends no login", async () => {
    await choose(true);
    await proved(11);
    expect(await server.admin.refusal(contract.rollbackReport, { params: missing })).toEqual({
      status: 403,
      code: "REAUTHENTICATION_REQUIRED",
      error:
        "Confirm that it is you: enter your password again, or show a second factor. Nothing was changed.",
    });
    expect((await server.admin.send(contract.whoAmI, {})).status).toBe(200);
  });
});

describe("a proof", () => {
  beforeEach(async () => {
    await choose(true);
    await proved(11);
  });

  test("is the password, and is of that login alone", async () => {
    const { provedUntil } = await server.admin.call(contract.giveProof, { body: byPassword });
    expect(Date.parse(provedUntil) - Date.now()).toBeGreaterThan(9 * 60_000);
    expect(await codesOfMoves()).toEqual(notAsked);
    const { rows } = await query(
      "select count(*)::integer as proved from logins where proved_at > now() - interval '1 minute'",
    );
    expect(rows).toEqual([{ proved: 1 }]);
  });

  test("is a code or a recovery code", async () => {
    await proved(0);
    const { secret, recoveryCodes } = await addAuthenticator(server.admin);
    const codes = [
      { method: "code", code: codeOf(secret) },
      { method: "recovery_code", code: recoveryCodes[0] ?? "" },
    ] as const;
    for (const body of codes) {
      await proved(11);
      await server.admin.call(contract.giveProof, { body });
      expect(await codesOfMoves()).toEqual(notAsked);
    }
  });

  test("is the change of the password", async () => {
    const body = { currentPassword: adminPassword, newPassword: adminPassword };
    await server.admin.call(contract.changeAdminPassword, { body });
    expect(await codesOfMoves()).toEqual(notAsked);
  });

  test.each([
    [{ method: "password", password: "wrong" }, "password"],
    [{ method: "code", code: "000000" }, "code"],
    [{ method: "recovery_code", code: "wrong" }, "code"],
  ] as const)("is not %o: that is 400, which ends no login", async (body, field) => {
    expect(await server.admin.refusal(contract.giveProof, { body })).toMatchObject({
      status: 400,
      details: [{ field }],
    });
    expect(await codesOfMoves()).toEqual(asked);
  });

  test("does not serve to guess the password", async () => {
    const body = { method: "password", password: "wrong" } as const;
    for (let time = 0; time < wrongGuesses; time += 1)
      await server.admin.refusal(contract.giveProof, { body });
    expect(await server.admin.refusal(contract.giveProof, { body: byPassword })).toMatchObject({
      status: 429,
    });
  });
});

describe("whatever changes how the account is guarded", () => {
  const id = randomUUID();
  test.each([
    ["chooseProof", () => server.admin.refusal(contract.chooseProof, { body: { proofBeforeMoves: false } })],
    ["beginAuthenticator", () => server.admin.refusal(contract.beginAuthenticator, {})],
    [
      "confirmAuthenticator",
      () => server.admin.refusal(contract.confirmAuthenticator, { body: { code: "000000" } }),
    ],
    ["removeAuthenticator", () => server.admin.refusal(contract.removeAuthenticator, {})],
    ["beginPasskey", () => server.admin.refusal(contract.beginPasskey, {})],
    ["removePasskey", () => server.admin.refusal(contract.removePasskey, { params: { id } })],
    ["renewRecoveryCodes", () => server.admin.refusal(contract.renewRecoveryCodes, {})],
  ])("asks for a proof, whatever is chosen: %s", async (_name, change) => {
    await choose(false);
    await proved(11);
    expect(await change()).toMatchObject({ status: 403, code: "REAUTHENTICATION_REQUIRED" });
  });
});
