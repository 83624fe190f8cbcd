import { randomUUID } from "node:crypto";
import * as contract from "@stocktake/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loginsPerUser } from "../../auth/auth.ts";
import type { TestCounter } from "../../testing/scenes.ts";
import type { TestApi } from "../../testing/test-api.ts";
import { startTestServer, type TestServer, tokenOf } from "../../testing/test-server.ts";
import { givenTo, make, type Scene, setScene } from "./testing.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Every call looks at the login in the same way, as authorisation.test.ts walks through with a revoked one. */
async function expectNothingOpens(api: TestApi, loginEnd?: contract.LoginEnd): Promise<void> {
  const { status, code, loginEnd: end } = await api.refusal(contract.whoAmI, {});
  expect([status, code, end]).toEqual([401, "UNAUTHENTICATED", loginEnd]);
}

/** A permanent counter made and signed in by the calls themselves. */
async function signUp(): Promise<{ id: string; username: string; api: TestApi }> {
  const username = `Counter ${randomUUID()}`;
  const account = { username, password: "counting" };
  const { counter } = await server.admin.call(contract.createCounter, { body: account });
  const { headers } = await server.stranger.send(contract.counterLogin, { body: account });
  const api = server.as(tokenOf(headers));
  await api.call(contract.whoAmI, {});
  return { id: counter._id, username, api };
}

describe("a login that was taken away opens nothing from the next call on", () => {
  test("by revoking the invitation", async () => {
    const scene = await setScene(server);
    await server.admin.call(contract.revokeInvitation, { params: { id: scene.place.invitationId } });
    await expectNothingOpens(scene.counter.api, "invitation_revoked");
    await expectNothingOpens(server.as("no login's cookie"));
    await expectNothingOpens(server.stranger);
  });

  test("by time", async () => {
    const { id, api } = await signUp();
    await sql`update logins set expires_at = now() - interval '1 day' where user_id = ${id}`.execute(
      server.database.database,
    );
    await expectNothingOpens(api, "expired");
  });

  test("by the same person's signing in elsewhere once more than they have logins", async () => {
    const { id, username, api } = await signUp();
    await sql`insert into logins (token_hash, user_id, expires_at)
      select sha256((${id} || number)::bytea), ${id}, now() + interval '1 day'
      from generate_series(2, ${loginsPerUser.permanent}::integer) number`.execute(server.database.database);
    await api.call(contract.whoAmI, {});
    await server.stranger.send(contract.counterLogin, { body: { username, password: "counting" } });
    await expectNothingOpens(api, "signed_in_elsewhere");
  });

  test("by signing out", async () => {
    const { api } = await signUp();
    await api.call(contract.logout, {});
    await expectNothingOpens(api);
  });

  test.each([
    ["deactivating the account", { isActive: false }],
    ["giving the account a new password", { password: "another one" }],
  ])("by %s", async (_name, body) => {
    const { id, api } = await signUp();
    await server.admin.call(contract.updateCounter, { params: { id }, body });
    await expectNothingOpens(api);
  });

  test("by deleting the account", async () => {
    const { id, api } = await signUp();
    await server.admin.call(contract.deleteCounter, { params: { id } });
    await expectNothingOpens(api);
  });

  test("by changing the administrator's password on another device", async () => {
    const body = { password: "counting-day" };
    const { headers } = await server.stranger.send(contract.adminLogin, { body });
    const other = server.as(tokenOf(headers));
    await server.admin.call(contract.changeAdminPassword, {
      body: { currentPassword: body.password, newPassword: body.password },
    });
    await expectNothingOpens(other);
  });
});

describe("after the session's end a temporary counter", () => {
  let ended: Scene;
  let token: string;
  let late: TestCounter;

  beforeAll(async () => {
    ended = await setScene(server);
    late = ended.counter;
    const { sessionId, storeId } = ended.place;
    const body = { sessionId, storeId, email: "late@example.com", counterName: "Late" };
    await server.admin.call(contract.createInvitation, { body });
    const { mails } = await server.admin.call(contract.listOutboxMails, {});
    token = mails[0]?.link.split("/").at(-1) ?? "";
    await server.stranger.call(contract.readInvitation, { params: { token } });
    await server.admin.call(contract.endSession, { body: { sessionId } });
  });

  test("still delivers its scans, which are late [spec:4.5]", async () => {
    const single = await make(late.api, contract.postScan, givenTo(contract.postScan, ended.place));
    expect([single.status, contract.ScanAnswer.parse(single.body).status]).toEqual([201, "late"]);
    const batch = { ...ended.place, deviceId: `device-${randomUUID()}` };
    const { body } = await make(late.api, contract.postScanBatch, givenTo(contract.postScanBatch, batch));
    expect(body).toMatchObject({ results: [{ httpStatus: 201, status: "late", reason: "SESSION_CLOSED" }] });
  });

  test("is not joined by anyone else [spec:4.5]", async () => {
    for (const call of [contract.readInvitation, contract.acceptInvitation]) {
      const answer = await make(server.stranger, call, { params: { token } });
      expect(answer.body).toEqual({ error: "Invalid or expired invitation", code: "NOT_FOUND" });
    }
  });

  test("is signed out after 14 days", async () => {
    const { database } = server.database;
    const shift = (days: string) =>
      sql`update sessions set ended_at = now() - ${days}::interval where id = ${ended.place.sessionId}`.execute(
        database,
      );
    await shift("13 days 23 hours");
    await late.api.call(contract.whoAmI, {});
    for (const days of ["14 days 1 minute", "-1 year"]) {
      await shift(days);
      await expectNothingOpens(late.api, "session_over");
    }
  });
});
