import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../database/testing.ts";
import type { TestApi } from "../../testing/test-api.ts";
import { adminPassword, startTestServer, type TestServer, tokenOf } from "../../testing/test-server.ts";
import { ensureAdmin } from "../admin-password.ts";
import { createPasswords } from "../passwords.ts";
import {
  addAuthenticator,
  addPasskey,
  byName,
  challengeOf,
  codeOf,
  siteOf,
  stillAuthRoutes,
} from "../testing/factor-scene.ts";
import { SoftwarePasskey } from "../testing/software-passkey.ts";

let server: TestServer;
let admin: TestApi;
let stranger: TestApi;

beforeAll(async () => {
  server = await startTestServer({ slices: [stillAuthRoutes] });
  admin = byName(server, server.admin.token);
  stranger = byName(server, null);
});
afterAll(() => server.close());
beforeEach(async () => {
  for (const table of ["authenticator_apps", "recovery_codes", "passkeys"]) {
    await server.database.pool.query(`delete from ${table}`);
  }
});

async function security(api = admin): Promise<contract.Security> {
  return (await api.call(contract.readSecurity, {})).security;
}

async function lastEntry() {
  return server.database.database
    .selectFrom("auditEntries")
    .select(["action", "before", "after"])
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
}

describe("what guards the account", () => {
  test("is a password alone at first", async () => {
    expect(await security()).toEqual({
      passwordIsGenerated: false,
      authenticator: null,
      passkeys: [],
      passkeyProblem: null,
      recoveryCodesLeft: 0,
      proofBeforeMoves: false,
      proofIsChosen: false,
      methods: [],
    });
  });

  test("says why there can be no passkey where the address is a number", async () => {
    expect((await security(server.admin)).passkeyProblem).toContain("need a host name");
    expect(await server.admin.refusal(contract.beginPasskey, {})).toMatchObject({
      status: 409,
      code: "PASSKEYS_UNAVAILABLE",
    });
  });
});

describe("an authenticator app", () => {
  test("guards nothing before its first code, and then brings ten recovery codes, told once", async () => {
    const { secret, address } = await admin.call(contract.beginAuthenticator, {});
    expect(address).toContain(`secret=${secret}`);
    expect(await security()).toMatchObject({ authenticator: null, methods: [] });
    const { recoveryCodes } = await admin.call(contract.confirmAuthenticator, {
      body: { code: codeOf(secret) },
    });
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes)
      expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    expect(await security()).toMatchObject({
      authenticator: { addedAt: expect.any(String) },
      recoveryCodesLeft: 10,
      proofBeforeMoves: true,
      methods: ["code", "recovery_code"],
    });
    expect(await lastEntry()).toEqual({
      action: "second_factor.added",
      before: null,
      after: { kind: "authenticator app" },
    });
  });

  test("is not added by another code, and one that was begun again has the later secret", async () => {
    const { secret: first } = await admin.call(contract.beginAuthenticator, {});
    const { secret } = await admin.call(contract.beginAuthenticator, {});
    const body = { code: codeOf(first) };
    expect(await admin.refusal(contract.confirmAuthenticator, { body })).toMatchObject({
      status: 400,
      details: [{ field: "code" }],
    });
    await admin.call(contract.confirmAuthenticator, { body: { code: codeOf(secret) } });
  });

  test("is the only one, until it is removed; the recovery codes go with the last second factor", async () => {
    await addAuthenticator(admin);
    const set = { status: 409, code: "AUTHENTICATOR_SET" };
    expect(await admin.refusal(contract.beginAuthenticator, {})).toMatchObject(set);
    expect(await admin.refusal(contract.confirmAuthenticator, { body: { code: "000000" } })).toMatchObject(
      set,
    );
    await admin.call(contract.removeAuthenticator, {});
    expect(await security()).toMatchObject({
      authenticator: null,
      recoveryCodesLeft: 0,
      proofBeforeMoves: false,
    });
    expect(await lastEntry()).toEqual({
      action: "second_factor.removed",
      before: { kind: "authenticator app" },
      after: null,
    });
    expect(await admin.refusal(contract.removeAuthenticator, {})).toMatchObject({ code: "NO_SECOND_FACTOR" });
  });
});

describe("recovery codes", () => {
  test("are there with a second factor only, and renewed ones replace the old", async () => {
    expect(await admin.refusal(contract.renewRecoveryCodes, {})).toMatchObject({ code: "NO_SECOND_FACTOR" });
    const { recoveryCodes: old } = await addAuthenticator(admin);
    const { recoveryCodes } = await admin.call(contract.renewRecoveryCodes, {});
    expect(old.filter((code) => recoveryCodes.includes(code))).toEqual([]);
    const body = { method: "recovery_code", code: old[0] ?? "" } as const;
    expect(await admin.refusal(contract.giveProof, { body })).toMatchObject({ status: 400 });
    await admin.call(contract.giveProof, { body: { ...body, code: recoveryCodes[0] ?? "" } });
    expect((await security()).recoveryCodesLeft).toBe(9);
  });
});

describe("a passkey", () => {
  async function ask() {
    const challenge = await challengeOf(server);
    const { request } = await stranger.call(contract.requestPasskeyForLogin, { body: { challenge } });
    const finish = (passkey: contract.PasskeyAnswer) =>
      stranger.send(contract.finishAdminLogin, {
        body: { challenge, factor: { method: "passkey", passkey } },
      });
    return { request, finish };
  }

  test("signs in, and is named with its last use", async () => {
    const passkey = await addPasskey(server, admin, "Key ring");
    expect((await security()).passkeys).toMatchObject([{ name: "Key ring", lastUsedAt: null }]);
    const { request, finish } = await ask();
    const id = passkey.id.toString("base64url");
    expect(request.allowCredentials).toEqual([{ id, type: "public-key", transports: ["usb"] }]);
    const { status, headers } = await finish(passkey.use(request));
    expect(status).toBe(200);
    expect((await server.as(tokenOf(headers)).call(contract.whoAmI, {})).user.role).toBe("admin");
    expect((await security()).passkeys).toMatchObject([{ lastUsedAt: expect.any(String) }]);
    expect(await security()).toMatchObject({ recoveryCodesLeft: 10, methods: ["passkey", "recovery_code"] });
  });

  test("proves before a deploy", async () => {
    const passkey = await addPasskey(server, admin);
    const { request } = await admin.call(contract.requestPasskeyForProof, {});
    await admin.call(contract.giveProof, { body: { method: "passkey", passkey: passkey.use(request) } });
  });

  test("signs each question once, and none of another kind", async () => {
    const passkey = await addPasskey(server, admin);
    const proof = await admin.call(contract.requestPasskeyForProof, {});
    expect((await (await ask()).finish(passkey.use(proof.request))).status).toBe(401);
    const { request, finish } = await ask();
    const answer = passkey.use(request);
    expect((await finish(answer)).status).toBe(200);
    const body = { method: "passkey", passkey: answer } as const;
    expect(await admin.refusal(contract.giveProof, { body })).toMatchObject({ status: 400 });
  });

  test("signs in from each of two browsers that were asked at the same time, and once from each", async () => {
    const passkey = await addPasskey(server, admin);
    const [one, other] = [await ask(), await ask()];
    const answers = [passkey.use(one.request), passkey.use(other.request)] as const;
    expect((await one.finish(answers[0])).status).toBe(200);
    expect((await other.finish(answers[1])).status).toBe(200);
    for (const answer of answers) expect((await (await ask()).finish(answer)).status).toBe(401);
  });

  test("signs what was asked too long ago in vain, and what nobody can read", async () => {
    const passkey = await addPasskey(server, admin);
    const { request, finish } = await ask();
    await server.database.pool.query("update passkey_challenges set expires_at = now() - interval '1 s'");
    const answer = passkey.use(request);
    expect((await finish(answer)).status).toBe(401);
    for (const said of ["{", "null", '{"challenge":"\\u0000"}', '{"challenge":7}']) {
      const clientDataJSON = Buffer.from(said).toString("base64url");
      const unreadable = { ...answer, response: { ...answer.response, clientDataJSON } };
      expect((await (await ask()).finish(unreadable)).status).toBe(401);
    }
  });

  test("of another site, of another account, and a copy that counts from the start are refused", async () => {
    const passkey = await addPasskey(server, admin);
    const elsewhere = Object.assign(
      new SoftwarePasskey({ ...siteOf(server), origin: "https://evil.example" }),
      {},
    );
    const first = await ask();
    expect((await first.finish(elsewhere.use(first.request))).status).toBe(401);
    const second = await ask();
    expect((await second.finish(passkey.use(second.request))).status).toBe(200);
    await server.database.pool.query("update passkeys set sign_count = 1000");
    const third = await ask();
    expect((await third.finish(passkey.use(third.request))).status).toBe(401);
  });

  test("is not added where another site made it, or nobody asked for it", async () => {
    const { creation } = await admin.call(contract.beginPasskey, {});
    const foreign = new SoftwarePasskey({ rpId: "evil.example", origin: "https://evil.example" });
    const add = (passkey: contract.NewPasskey) =>
      admin.refusal(contract.addPasskey, { body: { name: "Mine", passkey } });
    expect(await add(foreign.create(creation))).toMatchObject({
      status: 400,
      details: [{ field: "passkey" }],
    });
    expect(await add(new SoftwarePasskey(siteOf(server)).create({ challenge: "bWFkZS11cA" }))).toMatchObject({
      status: 400,
    });
  });

  test("that is removed signs nothing any more; another's id names none", async () => {
    const passkey = await addPasskey(server, admin);
    await addAuthenticator(admin);
    const { request, finish } = await ask();
    const [{ _id: id } = { _id: "" }] = (await security()).passkeys;
    await admin.call(contract.removePasskey, { params: { id } });
    expect((await finish(passkey.use(request))).status).toBe(401);
    expect(await admin.refusal(contract.removePasskey, { params: { id } })).toMatchObject({ status: 404 });
    expect(await security()).toMatchObject({ passkeys: [], recoveryCodesLeft: 10 });
  });
});

describe("a first password that the server made up", () => {
  test("is remembered as such until it is changed", async () => {
    const { database, drop } = await createTestDatabase();
    const read = async () =>
      (await database.selectFrom("users").select("passwordIsGenerated").executeTakeFirstOrThrow())
        .passwordIsGenerated;
    await ensureAdmin(database, { adminPassword: null }, createPasswords());
    expect(await read()).toBe(true);
    await drop();
    await server.database.pool.query("update users set password_is_generated = true");
    expect((await security()).passwordIsGenerated).toBe(true);
    const body = { currentPassword: adminPassword, newPassword: adminPassword };
    await admin.call(contract.changeAdminPassword, { body });
    expect((await security()).passwordIsGenerated).toBe(false);
  });
});
