import { randomBytes } from "node:crypto";
import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditRoutes } from "../../audit/audit.ts";
import { authRoutes } from "../../auth/routes.ts";
import { sessionRoutes } from "../../sessions/routes.ts";
import { startTestServer, type TestServer, tokenOf } from "../../testing/test-server.ts";
import { invitationRoutes } from "../routes.ts";
import { accept, endSessions, type InvitationScene, invite, listInvitations, setScene } from "../testing.ts";

let server: TestServer;
let scene: InvitationScene;
let code: contract.SessionCode;

beforeAll(async () => {
  server = await startTestServer({ slices: [authRoutes, auditRoutes, sessionRoutes, invitationRoutes] });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await setScene(server);
  code = await open();
});

const newKey = () => randomBytes(32).toString("base64url");
const ofSession = () => ({ params: { sessionId: scene.session._id } });
const tokenIn = ({ link }: contract.SessionCode) => link.split("/").at(-1) ?? "";

async function open(): Promise<contract.SessionCode> {
  return (await server.admin.call(contract.openSessionCode, ofSession())).code;
}

const read = () => server.admin.call(contract.readSessionCode, ofSession());

function ask(key: string, counterName = "Tom", token = tokenIn(code)) {
  return server.stranger.send(contract.askToJoin, { params: { token }, body: { counterName, key } });
}

async function statusOf(key: string): Promise<string> {
  const { status, body } = await server.stranger.send(contract.readJoinRequest, { params: { key } });
  return status === 200 ? contract.readJoinRequest.answer.parse(body).request.status : String(status);
}

/** The id of the only one who waits. */
async function waitingId(): Promise<string> {
  const { requests } = await read();
  expect(requests).toHaveLength(1);
  return requests[0]?._id ?? "";
}

const admitPerson = async (id: string) => server.admin.send(contract.admitPerson, { params: { id } });
const admitAll = (admitting: boolean) =>
  server.admin.call(contract.admitAll, { params: { id: code._id }, body: { admitting } });

describe("a session code", () => {
  test("is one a session, however often and by how many at once it is opened", async () => {
    const opened = await Promise.all([open(), open(), open()]);
    expect(opened).toEqual([code, code, code]);
    expect((await read()).code).toEqual(code);
    expect(code.link).toMatch(/\/counter\/join\/[\w-]{43}$/);
  });

  test("says where it leads, and nothing else", async () => {
    const params = { token: tokenIn(code) };
    expect(await server.stranger.call(contract.readCode, { params })).toEqual({
      code: { store: { name: "High Street" }, session: { startedAt: scene.session.startedAt } },
    });
  });

  test.each(["closed", "of an ended session", "made up"])("that is %s opens nothing", async (why) => {
    const waiting = newKey();
    await ask(waiting);
    const id = await waitingId();
    if (why === "closed") {
      await server.admin.call(contract.revokeSessionCode, { params: { id: code._id } });
    }
    if (why === "of an ended session") await endSessions(server);
    const token = why === "made up" ? newKey() : tokenIn(code);
    const refused = { status: 404, error: "Invalid or expired session code", code: "NOT_FOUND" };
    expect(await server.stranger.refusal(contract.readCode, { params: { token } })).toEqual(refused);
    expect((await ask(newKey(), "Tom", token)).body).toMatchObject({ code: "NOT_FOUND" });
    if (why === "made up") return;
    expect(await statusOf(waiting)).toBe("404");
    expect([404, 409]).toContain((await admitPerson(id)).status);
    expect((await accept(scene, waiting)).status).toBe(404);
  });

  test("that was closed makes room for another one, and whom it admitted stays", async () => {
    const key = newKey();
    await ask(key);
    await admitPerson(await waitingId());
    await server.admin.call(contract.revokeSessionCode, { params: { id: code._id } });
    expect((await read()).code).toBeNull();
    expect((await accept(scene, key)).status).toBe(200);
    expect(tokenIn(await open())).not.toBe(tokenIn(code));
  });

  test("of an ended or unknown session can't be opened", async () => {
    await endSessions(server);
    const refused = await server.admin.refusal(contract.openSessionCode, ofSession());
    expect(refused).toMatchObject({ status: 409, code: "SESSION_CLOSED" });
    const params = { sessionId: "malformed" };
    expect((await server.admin.refusal(contract.openSessionCode, { params })).status).toBe(404);
  });
});

describe("asking by a code", () => {
  test("lets nobody in by itself; admitted, the key opens the session as an invitation does", async () => {
    const key = newKey();
    expect((await ask(key)).body).toEqual({
      request: { counterName: "Tom", status: "waiting", store: { name: "High Street" } },
    });
    expect((await accept(scene, key)).status).toBe(404);
    await admitPerson(await waitingId());
    expect(await statusOf(key)).toBe("admitted");
    const { status, body, headers } = await accept(scene, key);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { user: { username: "Tom", isTemporary: true }, invitationData: { storeId: scene.store.id } },
    });
    expect((await read()).requests).toEqual([]);
    const [invitation] = await listInvitations(scene);
    expect(invitation).toMatchObject({ counterName: "Tom", email: "" });
    expect(key.endsWith(invitation?.token ?? key)).toBe(false);
    await server.admin.call(contract.revokeInvitation, { params: { id: invitation?._id ?? "" } });
    expect((await server.as(tokenOf(headers)).send(contract.whoAmI, {})).status).toBe(401);
    expect(await statusOf(key)).toBe("404");
  });

  test("under the name of somebody who was admitted or invited gets a number, which the phone is told", async () => {
    await invite(scene, { counterName: "Tom" });
    const keys = [newKey(), newKey(), newKey()];
    for (const key of keys) await ask(key);
    await admitAll(true);
    const names = [];
    for (const key of keys) {
      const { request } = await server.stranger.call(contract.readJoinRequest, { params: { key } });
      const { body } = await accept(scene, key);
      expect(body).toMatchObject({ user: { username: request.counterName } });
      names.push(request.counterName);
    }
    expect(names).toEqual(["Tom (2)", "Tom (3)", "Tom (4)"]);
    const late = newKey();
    await ask(late, "Tom (3)");
    expect((await accept(scene, late)).body).toMatchObject({ user: { username: "Tom (5)" } });
  });

  test("under the longest name gets a number in its place", async () => {
    const name = "N".repeat(contract.limits.name);
    const keys = [newKey(), newKey()];
    for (const key of keys) await ask(key, name);
    await admitAll(true);
    const answers = await Promise.all(keys.map((key) => accept(scene, key)));
    const names = answers.map(({ body }) => contract.acceptInvitation.answer.parse(body).user.username);
    expect(names).toEqual([name, `${name.slice(0, -4)} (2)`]);
  });

  test("again with the same key, at once too, is one request", async () => {
    const key = newKey();
    const asked = await Promise.all([ask(key), ask(key), ask(key)]);
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200]);
    await admitPerson(await waitingId());
    expect((await ask(key)).body).toMatchObject({ request: { status: "admitted" } });
    expect(await listInvitations(scene)).toHaveLength(1);
  });

  test("again, or too often, waits for no lock, so that whoever does it holds up no end of the session", async () => {
    const key = newKey();
    await ask(key);
    for (let asked = 1; asked < contract.limits.asksPerAddress; asked += 1) await ask(newKey());
    await server.database.database.transaction().execute(async (transaction) => {
      await transaction.selectFrom("sessions").select("id").forUpdate().execute();
      expect((await ask(key)).status).toBe(200);
      expect((await ask(newKey())).status).toBe(429);
    });
  });

  test("with a key that opens an invitation already is refused", async () => {
    const key = newKey();
    await ask(key);
    await admitPerson(await waitingId());
    await server.database.pool.query("delete from join_requests");
    expect((await ask(key)).body).toMatchObject({ code: "VALIDATION" });
  });

  test("is limited by who waits and by address, and a refused one leaves nothing", async () => {
    const fill = (address: string, count: number) =>
      server.database.pool.query(
        `insert into join_requests (code_id, counter_name, key_hash, address)
         select $1, 'Somebody', sha256(random()::text::bytea), coalesce($2, '192.0.2.' || number % 50)
         from generate_series(1, $3::int) number`,
        [code._id, address === "many" ? null : address, count],
      );
    await fill("many", contract.limits.waitingPerCode);
    const refused = await ask(newKey());
    expect(refused).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
    expect(refused.headers.get("retry-after")).toBe("60");
    expect((await read()).requests).toHaveLength(contract.limits.waitingPerCode);
    await server.database.pool.query("delete from join_requests");
    await fill("127.0.0.1", contract.limits.asksPerAddress);
    await server.database.pool.query("update join_requests set declined_at = now()");
    expect((await ask(newKey())).status).toBe(429);
    await server.database.pool.query("update join_requests set asked_at = now() - interval '16 minutes'");
    expect((await ask(newKey())).status).toBe(200);
  });

  test.each([
    [{ counterName: " ", key: newKey() }, "counterName"],
    [{ counterName: "Tom", key: "short" }, "key"],
  ])("with %j is 400", async (body, field) => {
    const params = { token: tokenIn(code) };
    const sent = await server.stranger.send(contract.askToJoin, { params, body });
    expect(sent).toMatchObject({ status: 400, body: { details: [{ field }] } });
  });
});

describe("admitting", () => {
  test("the same person many times at once makes one counter", async () => {
    await ask(newKey());
    const id = await waitingId();
    const statuses = await Promise.all([1, 2, 3, 4].map(async () => (await admitPerson(id)).status));
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect(await listInvitations(scene)).toHaveLength(1);
  });

  test("can follow a decline, which whoever asked is told; an admitted one can't be declined any more", async () => {
    const key = newKey();
    await ask(key);
    const params = { id: await waitingId() };
    for (const _time of [1, 2]) await server.admin.call(contract.declinePerson, { params });
    expect(await statusOf(key)).toBe("declined");
    expect((await read()).requests).toEqual([]);
    await admitPerson(params.id);
    expect(await statusOf(key)).toBe("admitted");
    expect((await server.admin.refusal(contract.declinePerson, { params })).status).toBe(404);
  });

  test("everybody takes in who waits and who asks, until it is over", async () => {
    const [early, late, after] = [newKey(), newKey(), newKey()];
    await ask(early, "Early");
    const until = new Date((await admitAll(true)).code.admitUntil ?? "").getTime();
    expect(Math.abs(until - Date.now() - 30 * 60_000)).toBeLessThan(60_000);
    expect(await statusOf(early)).toBe("admitted");
    expect((await ask(late, "Late")).body).toMatchObject({ request: { status: "admitted" } });
    await server.database.pool.query("update session_codes set admit_until = now() - interval '1 second'");
    expect((await ask(after)).body).toMatchObject({ request: { status: "waiting" } });
    expect((await read()).code?.admitUntil).toBeNull();
    expect((await listInvitations(scene)).map(({ counterName }) => counterName).sort()).toEqual([
      "Early",
      "Late",
    ]);
  });

  test("everybody can be ended before its time", async () => {
    await admitAll(true);
    expect((await admitAll(false)).code.admitUntil).toBeNull();
    expect((await ask(newKey())).body).toMatchObject({ request: { status: "waiting" } });
  });

  test("and everything else about a code is in the audit log", async () => {
    await ask(newKey(), "Ada");
    await server.admin.call(contract.declinePerson, { params: { id: await waitingId() } });
    await ask(newKey(), "Tom");
    await admitPerson(await waitingId());
    await admitAll(true);
    await ask(newKey(), "Zoe");
    await server.admin.call(contract.revokeSessionCode, { params: { id: code._id } });
    const { entries } = await server.admin.call(contract.listAudit, {
      query: { sessionId: scene.session._id },
    });
    const about = entries.map(({ actor, action, subject }) => `${actor.name} ${action} ${subject.name}`);
    expect(about.slice(0, 6).reverse()).toEqual([
      "admin session_code.opened High Street",
      "admin counter.declined Ada",
      "admin counter.admitted Tom",
      "admin session_code.admitting High Street",
      "Server counter.admitted Zoe",
      "admin session_code.revoked High Street",
    ]);
  });
});
