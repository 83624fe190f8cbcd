import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { begin, makeStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { invitationRoutes } from "./routes.ts";
import { endSessions, type InvitationScene, listInvitations, send, setScene } from "./testing.ts";

let server: TestServer;
let scene: InvitationScene;

beforeAll(async () => {
  server = await startTestServer({ slices: [authRoutes, sessionRoutes, invitationRoutes] });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await setScene(server);
});

const onlyOnce = true;

describe("inviting a list, each address once", () => {
  test("sent again, in another writing, gives the invitation that the address has", async () => {
    const first = await send(scene, { onlyOnce });
    const again = await send(scene, { onlyOnce, email: "Ada@Example.COM", counterName: "Ada L." });
    expect(first.body).toMatchObject({ delivery: "outbox" });
    expect(again).toMatchObject({ status: 201, body: { delivery: "already" } });
    const invited = contract.createInvitation.answer.parse(first.body).invitation;
    expect(contract.createInvitation.answer.parse(again.body).invitation).toEqual(invited);
    expect(await listInvitations(scene)).toEqual([invited]);
  });

  test("sent many times at once invites nobody twice, and mails nobody twice", async () => {
    const addresses = ["ada@example.com", "grace@example.com"];
    const asked = [1, 2, 3, 4].flatMap(() => addresses.map((email) => send(scene, { onlyOnce, email })));
    const answers = await Promise.all(asked);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const { body } of refused) expect(body).toMatchObject({ code: "INVITATION_UNDER_WAY" });
    expect((await listInvitations(scene)).map(({ email }) => email).sort()).toEqual(addresses);
    const { mails } = await server.admin.call(contract.listOutboxMails, {});
    expect(mails.map(({ to }) => to).sort()).toEqual(addresses);
  });

  test("is refused while a mail to the address is being sent, and by no intent that lost its process", async () => {
    await send(scene, { onlyOnce });
    await server.database.pool.query("update invitations set sent_at = null");
    expect(await send(scene, { onlyOnce })).toMatchObject({
      status: 409,
      body: { code: "INVITATION_UNDER_WAY" },
    });
    await server.database.pool.query("delete from outbox_mails");
    await server.database.pool.query("update invitations set created_at = now() - interval '11 minutes'");
    expect((await send(scene, { onlyOnce })).body).toMatchObject({ delivery: "outbox" });
  });

  test("invites again whoever was revoked, and to another session", async () => {
    const sent = await send(scene, { onlyOnce });
    const { invitation } = contract.createInvitation.answer.parse(sent.body);
    await server.admin.call(contract.revokeInvitation, { params: { id: invitation._id } });
    expect((await send(scene, { onlyOnce })).body).toMatchObject({ delivery: "outbox" });
    const store = await makeStore(server);
    const elsewhere = { server, store, session: await begin(server, store) };
    expect((await send(elsewhere, { onlyOnce })).body).toMatchObject({ delivery: "outbox" });
  });

  test("is a choice: without it an address is invited as often as somebody asks", async () => {
    for (const _time of [1, 2]) expect((await send(scene)).body).toMatchObject({ delivery: "outbox" });
    expect(await listInvitations(scene)).toHaveLength(2);
  });
});

describe("earlier counters", () => {
  const earlier = async () => {
    const params = { sessionId: scene.session._id };
    return (await server.admin.call(contract.listEarlierCounters, { params })).counters;
  };

  test("are each offered once, by their last name, the store's own before others, without who is invited already", async () => {
    await server.database.pool.query("update invitations set revoked_at = now(), email = ''");
    const other = await makeStore(server);
    const elsewhere = { server, store: other, session: await begin(server, other) };
    await send(scene, { email: "ada@example.com", counterName: "Ada" });
    await send(scene, { email: "tom@example.com", counterName: "Tom" });
    await server.admin.call(contract.endSession, { body: { sessionId: scene.session._id } });
    await send(elsewhere, { email: "zoe@example.com", counterName: "Zoe" });
    await send(elsewhere, { email: "ADA@example.com", counterName: "Ada Lovelace" });
    scene = { ...scene, session: await begin(server, scene.store) };
    await send(scene, { email: "Tom@example.com", counterName: "Tom" });
    expect((await earlier()).map(({ counterName, email }) => `${counterName} ${email}`)).toEqual([
      "Ada Lovelace ADA@example.com",
      "Zoe zoe@example.com",
    ]);
    await endSessions(server);
  });

  test("of an unknown session are 404", async () => {
    const params = { sessionId: "malformed" };
    expect((await server.admin.refusal(contract.listEarlierCounters, { params })).status).toBe(404);
  });
});
