import * as contract from "@stocktake/contract";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import type { Mailer } from "../mail/mailer.ts";
import { createSmtpMailer } from "../mail/smtp-mailer.ts";
import { startMailServer, type TestMailServer } from "../mail/testing.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { begin, makeStore, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { invitationRoutes } from "./routes.ts";

let mailServer: TestMailServer;
let mailer: Mailer;
let server: TestServer;
let store: TestStore;
let session: contract.CountingSession;

beforeEach(async () => {
  mailServer = await startMailServer();
  mailer = createSmtpMailer({
    url: mailServer.url,
    from: "Stocktake <stocktake@example.com>",
    logger: pino({ level: "silent" }),
  });
  server = await startTestServer({
    slices: [authRoutes, sessionRoutes, invitationRoutes],
    config: { publicUrl: new URL("https://count.example.com") },
    environment: { mailer: { kind: "smtp", send: (mail) => mailer.send(mail), check: () => mailer.check() } },
  });
  store = await makeStore(server);
  session = await begin(server, store);
});
afterEach(async () => {
  await server.close();
  await mailServer.close();
});

function invite(email: string) {
  const body = { sessionId: session._id, storeId: store.id, email, counterName: "Ada" };
  return server.admin.send(contract.createInvitation, { body });
}

async function list() {
  const params = { sessionId: session._id };
  return (await server.admin.call(contract.listInvitations, { params })).invitations;
}

async function stored() {
  return (await server.database.pool.query("select sent_at from invitations")).rows;
}

test("an invitation is sent once the mail server took its mail, whose link opens it", async () => {
  const { status, body } = await invite("ada@example.com");
  expect({ status, body }).toMatchObject({ status: 201, body: { delivery: "sent" } });
  const [mail] = mailServer.mails;
  expect(mail?.to).toEqual(["ada@example.com"]);
  const token =
    /https:\/\/count\.example\.com\/counter\/invite\/([\w-]{43})/.exec(mail?.body ?? "")?.[1] ?? "";
  const read = await server.stranger.call(contract.readInvitation, { params: { token } });
  expect(read.invitation.email).toBe("ada@example.com");
});

test("with a mail server the outbox stays empty, and no column holds the token", async () => {
  await invite("ada@example.com");
  expect((await server.admin.call(contract.listOutboxMails, {})).mails).toEqual([]);
  const token = /invite\/([\w-]{43})/.exec(mailServer.mails[0]?.body ?? "")?.[1] ?? "none";
  for (const table of ["invitations", "outbox_mails"]) {
    const { rows } = await server.database.pool.query(`select to_jsonb(t)::text as stored from ${table} t`);
    expect(rows.map((row) => row.stored).join()).not.toContain(token);
  }
});

test("an invitation from before there was a mail server keeps its link until somebody has used it", async () => {
  const slices = [authRoutes, sessionRoutes, invitationRoutes];
  const before = await startTestServer({ slices, over: server });
  const body = { sessionId: session._id, storeId: store.id, email: "ada@example.com", counterName: "Ada" };
  const sent = await before.admin.call(contract.createInvitation, { body });
  expect(sent.delivery).toBe("outbox");
  await before.close();

  const { mails } = await server.admin.call(contract.listOutboxMails, {});
  expect(mails.map(({ to }) => to)).toEqual(["ada@example.com"]);
  const token = mails[0]?.link.split("/").at(-1) ?? "";
  await server.stranger.call(contract.acceptInvitation, { params: { token } });
  expect((await server.admin.call(contract.listOutboxMails, {})).mails).toEqual([]);
});

test.each(["nobody@example.com", "later@example.com"])(
  "a mail to %s, which the mail server refuses, is 502 and leaves no invitation",
  async (email) => {
    expect(await invite(email)).toMatchObject({ status: 502, body: { code: "MAIL_FAILED" } });
    expect(await list()).toEqual([]);
    expect(await stored()).toEqual([]);
  },
);

test("a mail server that is down is 502 and leaves no invitation", async () => {
  await mailServer.close();
  expect(await invite("ada@example.com")).toMatchObject({ status: 502, body: { code: "MAIL_FAILED" } });
  expect(await stored()).toEqual([]);
  mailServer = await startMailServer();
});

test("until the mail server took the mail the invitation is on no list, and its link opens nothing", async () => {
  let handedOver: (link: string) => void = () => undefined;
  let take: () => void = () => undefined;
  const link = new Promise<string>((resolve) => {
    handedOver = resolve;
  });
  const taken = new Promise<void>((resolve) => {
    take = resolve;
  });
  mailer = {
    kind: "smtp",
    send: (mail) => {
      handedOver(mail.link);
      return taken;
    },
    check: async () => true,
  };
  const answer = invite("ada@example.com");
  const token = (await link).split("/").at(-1) ?? "";
  expect(await list()).toEqual([]);
  expect((await server.stranger.refusal(contract.acceptInvitation, { params: { token } })).status).toBe(404);
  take();
  expect((await answer).status).toBe(201);
  expect(await list()).toHaveLength(1);
  expect((await server.stranger.send(contract.acceptInvitation, { params: { token } })).status).toBe(200);
});

test("an intent that a process left behind when it died stays hidden and goes with the next invitation", async () => {
  await invite("ada@example.com");
  await server.database.pool.query(
    "update invitations set sent_at = null, created_at = now() - interval '11 minutes'",
  );
  expect(await list()).toEqual([]);
  await invite("bob@example.com");
  expect((await list()).map(({ email }) => email)).toEqual(["bob@example.com"]);
  expect(await stored()).toHaveLength(1);
});
