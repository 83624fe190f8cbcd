import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { makeLocation, makePermanentCounter } from "../testing/scenes.ts";
import { startTestServer, type TestServer, tokenOf } from "../testing/test-server.ts";
import { invitationRoutes } from "./routes.ts";
import { accept, endSessions, type InvitationScene, invite, listInvitations, setScene } from "./testing.ts";

let server: TestServer;
let scene: InvitationScene;

beforeAll(async () => {
  server = await startTestServer({ slices: [authRoutes, sessionRoutes, invitationRoutes] });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await setScene(server);
});

describe("reading an invitation", () => {
  test("tells who is invited, where, and since when the session runs", async () => {
    const { invitation, token } = await invite(scene);
    const read = await server.stranger.call(contract.readInvitation, { params: { token } });
    expect(read.invitation).toEqual({
      _id: invitation._id,
      counterName: "Ada",
      email: "ada@example.com",
      createdAt: invitation.createdAt,
      usedAt: null,
      store: { _id: scene.store.id, name: "High Street" },
      session: { _id: scene.session._id, startedAt: scene.session.startedAt },
    });
  });
});

describe("accepting an invitation", () => {
  test("signs the counter in and answers with where to count", async () => {
    const { invitation, token } = await invite(scene, { locationId: scene.store.locationId });
    const { status, body, headers } = await accept(scene, token);
    expect(status).toBe(200);
    const user = {
      _id: expect.any(String),
      username: "Ada",
      role: "counter",
      isTemporary: true,
      invitationId: invitation._id,
    };
    const invitationData = { storeId: scene.store.id, locationId: scene.store.locationId };
    expect(body).toEqual({ user, invitationData });
    expect(headers.getSetCookie()[0]).toMatch(/; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(await server.as(tokenOf(headers)).call(contract.whoAmI, {})).toEqual(body);
  });

  test("without a location leads to the store's only one, and to none of several", async () => {
    const { token } = await invite(scene);
    expect((await accept(scene, token)).body).toMatchObject({
      invitationData: { locationId: scene.store.locationId },
    });
    await makeLocation(server, scene.store.id, "Stockroom");
    expect((await accept(scene, token)).body).toMatchObject({ invitationData: { locationId: null } });
  });

  test("under a name that somebody in the session has gets a number, on every device and in the list", async () => {
    const { token: first } = await invite(scene);
    const { token: second } = await invite(scene, { email: "another.ada@example.com", counterName: "ADA" });
    expect((await accept(scene, second)).body).toMatchObject({ user: { username: "ADA" } });
    expect((await accept(scene, first)).body).toMatchObject({ user: { username: "Ada (2)" } });
    expect((await accept(scene, first)).body).toMatchObject({ user: { username: "Ada (2)" } });
    expect((await accept(scene, second)).body).toMatchObject({ user: { username: "ADA" } });
    expect((await listInvitations(scene)).map(({ counterName }) => counterName).sort()).toEqual([
      "ADA",
      "Ada (2)",
    ]);
  });

  test("once more after a revocation, to the same address, keeps the name: it is the same person", async () => {
    const { token, invitation } = await invite(scene, { email: "ada@example.com" });
    const { user } = contract.acceptInvitation.answer.parse((await accept(scene, token)).body);
    await server.admin.call(contract.revokeInvitation, { params: { id: invitation._id } });
    const { token: again } = await invite(scene, { email: "ADA@example.com" });
    expect((await accept(scene, again)).body).toMatchObject({ user: { username: user.username } });
  });

  test("at once under the same name, no two people have it", async () => {
    const tokens = [];
    for (const email of ["a@example.com", "b@example.com", "c@example.com"]) {
      tokens.push((await invite(scene, { email, counterName: "Kim" })).token);
    }
    const answers = await Promise.all(tokens.map((token) => accept(scene, token)));
    const names = answers.map(({ body }) => contract.acceptInvitation.answer.parse(body).user.username);
    expect(names.sort()).toEqual(["Kim", "Kim (2)", "Kim (3)"]);
  });

  test("under the administrator's name, or that of somebody with a password, gets a number", async () => {
    const { token } = await invite(scene, { counterName: "Admin" });
    expect((await accept(scene, token)).body).toMatchObject({ user: { username: "Admin (2)" } });
  });

  test("under the name of an account that counted in the session and was deleted since gets a number", async () => {
    const { userId } = await makePermanentCounter(server, "Grace");
    const { pool } = server.database;
    await pool.query(
      "insert into opened_devices (session_id, device_id, user_id, tells_queue) values ($1, 'device-1', $2, true)",
      [scene.session._id, userId],
    );
    await pool.query("update users set deleted_at = now() where id = $1", [userId]);
    const { token } = await invite(scene, { counterName: "Grace" });
    expect((await accept(scene, token)).body).toMatchObject({ user: { username: "Grace (2)" } });
    scene = await setScene(server);
    const { token: later } = await invite(scene, { counterName: "Grace" });
    expect((await accept(scene, later)).body).toMatchObject({ user: { username: "Grace" } });
  });

  test("under the name of another session's counter keeps it", async () => {
    const { token } = await invite(scene, { counterName: "Ines" });
    await accept(scene, token);
    scene = await setScene(server);
    const { token: later } = await invite(scene, { counterName: "Ines" });
    expect((await accept(scene, later)).body).toMatchObject({ user: { username: "Ines" } });
  });

  test("of a location that was deleted leads to the store's only one left", async () => {
    const gone = await makeLocation(server, scene.store.id, "Stockroom");
    const { token } = await invite(scene, { locationId: gone });
    expect((await accept(scene, token)).body).toMatchObject({ invitationData: { locationId: gone } });
    await server.database.pool.query("update locations set deleted_at = now() where id = $1", [gone]);
    expect((await accept(scene, token)).body).toMatchObject({
      invitationData: { locationId: scene.store.locationId },
    });
  });

  test("again on another device makes a login of the same user; used is the first time [spec:4.6]", async () => {
    const { token } = await invite(scene);
    const first = await accept(scene, token);
    const [used] = await listInvitations(scene);
    expect(used?.usedAt).toMatch(/Z$/);
    const second = await accept(scene, token);
    expect(second.body).toEqual(first.body);
    expect(await listInvitations(scene)).toEqual([used]);
    expect(tokenOf(second.headers)).not.toBe(tokenOf(first.headers));
    for (const { headers } of [first, second]) {
      expect((await server.as(tokenOf(headers)).send(contract.whoAmI, {})).status).toBe(200);
    }
  });

  test("on many devices at the same time makes one user", async () => {
    const { invitation, token } = await invite(scene);
    const answers = await Promise.all(Array.from({ length: 10 }, () => accept(scene, token)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { rows } = await server.database.pool.query("select id from users where invitation_id = $1", [
      invitation._id,
    ]);
    expect(rows).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body)))).toHaveProperty("size", 1);
  });

  test("with a name that another counter has is fine: names of temporary counters may repeat", async () => {
    const one = await accept(scene, (await invite(scene)).token);
    const other = await accept(scene, (await invite(scene)).token);
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(one.body).not.toEqual(other.body);
  });

  test("while the session is being ended still works", async () => {
    const { token } = await invite(scene);
    await server.database.pool.query("update sessions set status = 'ending' where id = $1", [
      scene.session._id,
    ]);
    expect((await accept(scene, token)).status).toBe(200);
  });

  test("ends the login that the browser held until then", async () => {
    const { token } = await invite(scene);
    const before = server.as(tokenOf((await accept(scene, token)).headers));
    const after = await accept(scene, token, before);
    expect((await before.send(contract.whoAmI, {})).status).toBe(401);
    expect((await server.as(tokenOf(after.headers)).send(contract.whoAmI, {})).status).toBe(200);
  });
});

describe("a link that is not valid", () => {
  const makers: Record<string, () => Promise<string>> = {
    unknown: async () => "x".repeat(43),
    "only the shown ending": async () => (await invite(scene)).invitation.token,
    revoked: async () => {
      const { invitation, token } = await invite(scene);
      await server.admin.call(contract.revokeInvitation, { params: { id: invitation._id } });
      return token;
    },
    "of an ended session": async () => {
      const { token } = await invite(scene);
      await accept(scene, token);
      await endSessions(server);
      return token;
    },
    "whose mail was never taken": async () => {
      const { invitation, token } = await invite(scene);
      await server.database.pool.query("update invitations set sent_at = null where id = $1", [
        invitation._id,
      ]);
      return token;
    },
  };

  test.each(Object.keys(makers))(
    "because it is %s reads and accepts as all such do [spec:4.6]",
    async (why) => {
      const params = { token: (await makers[why]?.()) ?? "" };
      const refused = { status: 404, error: "Invalid or expired invitation", code: "NOT_FOUND" };
      expect(await server.stranger.refusal(contract.readInvitation, { params })).toEqual(refused);
      expect(await server.stranger.refusal(contract.acceptInvitation, { params })).toEqual(refused);
    },
  );
});
