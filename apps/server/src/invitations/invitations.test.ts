import * as contract from "@stocktake/contract";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { begin, makeStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer, tokenOf } from "../testing/test-server.ts";
import { harbour } from "../testing/test-shop.ts";
import { invitationRoutes } from "./routes.ts";
import {
  accept,
  endSessions,
  type InvitationScene,
  invite,
  listInvitations,
  send,
  setScene,
} from "./testing.ts";

const noId = "11111111-1111-4111-8111-111111111111";
const logged: string[] = [];
let server: TestServer;
let scene: InvitationScene;

beforeAll(async () => {
  const logger = pino({ level: "info" }, { write: (line: string) => logged.push(line) });
  server = await startTestServer({
    slices: [authRoutes, sessionRoutes, invitationRoutes],
    environment: { logger },
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await setScene(server);
});

describe("inviting", () => {
  test("answers 201 with the invitation and how its mail went, and lists it", async () => {
    const { status, body } = await send(scene, { email: " ada@example.com ", counterName: " Ada " });
    expect(status).toBe(201);
    expect(body).toEqual({
      invitation: {
        _id: expect.any(String),
        counterName: "Ada",
        email: "ada@example.com",
        token: expect.stringMatching(/^[\w-]{12}$/),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        usedAt: null,
        locationId: null,
        locationName: null,
      },
      delivery: "outbox",
    });
    await send(scene, { counterName: "Bob" });
    expect((await listInvitations(scene)).map(({ counterName }) => counterName)).toEqual(["Bob", "Ada"]);
  });

  test("to a location lists it with its name, also once it is deleted", async () => {
    const { locationId } = scene.store;
    const { invitation } = await invite(scene, { locationId });
    expect(invitation).toMatchObject({ locationId, locationName: expect.stringMatching(/./) });
    await server.database.pool.query("update locations set deleted_at = now() where id = $1", [locationId]);
    expect(await listInvitations(scene)).toEqual([invitation]);
  });

  test("puts the mail into the outbox, its link leading to where the administrator is", async () => {
    const { invitation, token } = await invite(scene);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(token.slice(-12)).toBe(invitation.token);
    const { mails } = await server.admin.call(contract.listOutboxMails, {});
    expect(mails).toEqual([
      {
        _id: expect.any(String),
        to: "ada@example.com",
        subject: "Your counting link for High Street",
        text: expect.stringContaining(`${server.url}/counter/invite/${token}`),
        link: `${server.url}/counter/invite/${token}`,
        createdAt: expect.any(String),
      },
    ]);
  });

  test("leads to PUBLIC_URL where that is set", async () => {
    const config = { publicUrl: new URL("https://count.example.com/") };
    const published = await startTestServer({
      slices: [authRoutes, sessionRoutes, invitationRoutes],
      config,
    });
    const there = await makeStore(published);
    const running = await begin(published, there);
    const body = {
      sessionId: running._id,
      storeId: there.id,
      email: "ada@example.com",
      counterName: "Ada",
    };
    await published.admin.call(contract.createInvitation, { body });
    const { mails } = await published.admin.call(contract.listOutboxMails, {});
    expect(mails[0]?.link).toMatch(/^https:\/\/count\.example\.com\/counter\/invite\/[\w-]{43}$/);
    await published.close();
  });

  test("is named in the log, without the token and without the address", async () => {
    const { invitation, token } = await invite(scene);
    const lines = logged.filter((line) => line.includes(invitation._id)).join();
    expect(lines).toContain("outbox");
    expect(logged.join()).not.toContain(token);
    expect(logged.join()).not.toContain("ada@example.com");
  });

  test("keeps of the token a hash and its last 12 characters alone, beside the mail in the outbox [spec:9.11]", async () => {
    const { token } = await invite(scene);
    await accept(scene, token);
    for (const table of ["invitations", "users", "logins"]) {
      const { rows } = await server.database.pool.query(`select to_jsonb(t)::text as stored from ${table} t`);
      const stored = rows.map((row) => row.stored).join();
      expect(stored).not.toContain(token);
      expect(stored).not.toContain(Buffer.from(token).toString("hex"));
    }
  });

  test("to a session, store or location that is not there is 404", async () => {
    for (const id of [noId, "malformed"]) {
      for (const given of [{ sessionId: id }, { storeId: id }, { locationId: id }]) {
        expect(await send(scene, given)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
      }
    }
  });

  test("to ids that do not belong together is 400 and names the field", async () => {
    const other = await makeStore(server, { name: "Annexe", shopifyLocation: harbour });
    expect(await send(scene, { storeId: other.id })).toMatchObject({
      status: 400,
      body: { code: "VALIDATION", details: [{ field: "storeId" }] },
    });
    expect(await send(scene, { locationId: other.locationId })).toMatchObject({
      status: 400,
      body: { code: "VALIDATION", details: [{ field: "locationId" }] },
    });
    expect(await listInvitations(scene)).toEqual([]);
  });

  test("to a session that has ended is 409", async () => {
    await endSessions(server);
    expect(await send(scene)).toMatchObject({ status: 409, body: { code: "SESSION_CLOSED" } });
    expect(await listInvitations(scene)).toEqual([]);
  });

  test.each([
    [{ email: "" }, "email"],
    [{ email: "not an address" }, "email"],
    [{ email: "ada@example.com\r\nBcc: thief@example.com" }, "email"],
    [{ email: "ada@example.com, thief@example.com" }, "email"],
    [{ counterName: " " }, "counterName"],
    [{ counterName: "x".repeat(101) }, "counterName"],
  ])("with %j is 400", async (given, field) => {
    expect(await send(scene, given)).toMatchObject({ status: 400, body: { details: [{ field }] } });
  });
});

describe("the outbox keeps the link of an invitation", () => {
  const outbox = async () =>
    (await server.admin.call(contract.listOutboxMails, {})).mails.map(({ to }) => to);

  test("until it is used; a device that joins later changes nothing", async () => {
    const { token } = await invite(scene);
    await invite(scene, { email: "grace@example.com" });
    await accept(scene, token);
    expect(await outbox()).toEqual(["grace@example.com"]);
    expect((await accept(scene, token)).status).toBe(200);
  });

  test("until its session ends, and those of another session beyond", async () => {
    await invite(scene);
    const elsewhere = await makeStore(server);
    const session = await begin(server, elsewhere);
    await invite({ server, store: elsewhere, session }, { email: "grace@example.com" });
    await server.admin.call(contract.endSession, { body: { sessionId: scene.session._id } });
    expect(await outbox()).toEqual(["grace@example.com"]);
  });
});

describe("revoking an invitation", () => {
  const revoke = (id: string) => server.admin.send(contract.revokeInvitation, { params: { id } });

  test("ends its logins at once and takes it off the list and out of the outbox [spec:4.6]", async () => {
    const { invitation, token } = await invite(scene);
    await invite(scene, { email: "grace@example.com" });
    const logins = await Promise.all([accept(scene, token), accept(scene, token)]);
    expect(await revoke(invitation._id)).toMatchObject({ status: 200, body: { success: true } });
    for (const { headers } of logins) {
      expect((await server.as(tokenOf(headers)).send(contract.whoAmI, {})).status).toBe(401);
    }
    expect(await listInvitations(scene)).toMatchObject([{ email: "grace@example.com" }]);
    const { mails } = await server.admin.call(contract.listOutboxMails, {});
    expect(mails).toMatchObject([{ to: "grace@example.com" }]);
  });

  test("an invitation nobody has used takes its mail with it", async () => {
    const { invitation } = await invite(scene);
    await revoke(invitation._id);
    expect((await server.admin.call(contract.listOutboxMails, {})).mails).toEqual([]);
  });

  test("is 404 the second time, and for an unknown or malformed id", async () => {
    const { invitation } = await invite(scene);
    await revoke(invitation._id);
    for (const id of [invitation._id, noId, "malformed"]) {
      expect(await revoke(id)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    }
  });

  test("while somebody accepts leaves nobody signed in", async () => {
    const { invitation, token } = await invite(scene);
    const [accepted] = await Promise.all([
      Promise.all(Array.from({ length: 5 }, () => accept(scene, token))),
      revoke(invitation._id),
    ]);
    const opened = accepted.filter(({ status }) => status === 200).map(({ headers }) => tokenOf(headers));
    for (const login of opened) {
      expect((await server.as(login).send(contract.whoAmI, {})).status).toBe(401);
    }
  });
});

test("the invitations of an unknown session are 404", async () => {
  for (const sessionId of [noId, "malformed"]) {
    const refused = await server.admin.refusal(contract.listInvitations, { params: { sessionId } });
    expect(refused.status).toBe(404);
  }
});
