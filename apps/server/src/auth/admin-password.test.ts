import * as contract from "@stocktake/contract";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase } from "../database/testing.ts";
import type { TestApi } from "../testing/test-api.ts";
import { adminPassword, startTestServer, type TestServer, tokenOf } from "../testing/test-server.ts";
import { ensureAdmin, resetAdminPassword } from "./admin-password.ts";
import { wrongGuesses } from "./guess-queries.ts";
import { createPasswords } from "./passwords.ts";
import { authRoutes } from "./routes.ts";

const passwords = createPasswords();

describe("the first administrator", () => {
  test("gets ADMIN_PASSWORD, which is not answered back", async () => {
    const { database, drop } = await createTestDatabase();
    expect(await ensureAdmin(database, { adminPassword: "chosen" }, passwords)).toEqual({
      generatedPassword: null,
    });
    const { passwordHash } = await database
      .selectFrom("users")
      .select("passwordHash")
      .executeTakeFirstOrThrow();
    expect(await passwords.matches(passwordHash, "chosen")).toBe(true);
    await drop();
  });

  test("gets a generated password that is answered once and can be read aloud", async () => {
    const { database, drop } = await createTestDatabase();
    const { generatedPassword } = await ensureAdmin(database, { adminPassword: null }, passwords);
    expect(generatedPassword).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    expect(await ensureAdmin(database, { adminPassword: "later" }, passwords)).toEqual({
      generatedPassword: null,
    });
    const rows = await database.selectFrom("users").select(["username", "role", "passwordHash"]).execute();
    expect(rows).toMatchObject([{ username: "admin", role: "admin" }]);
    expect(await passwords.matches(rows[0]?.passwordHash ?? null, generatedPassword ?? "")).toBe(true);
    await drop();
  });

  test("is one, with the one password that was told, when several nodes start at once", async () => {
    const { database, drop } = await createTestDatabase();
    const results = await Promise.all(
      Array.from({ length: 5 }, () => ensureAdmin(database, { adminPassword: null }, passwords)),
    );
    const generated = results.flatMap(({ generatedPassword }) => generatedPassword ?? []);
    expect(generated).toHaveLength(1);
    const rows = await database.selectFrom("users").select("passwordHash").execute();
    expect(rows).toHaveLength(1);
    expect(await passwords.matches(rows[0]?.passwordHash ?? null, generated[0] ?? "")).toBe(true);
    await drop();
  });
});

describe("changing the password", () => {
  const newPassword = "another-day";
  let server: TestServer;

  beforeEach(async () => {
    server = await startTestServer({ slices: [authRoutes] });
  });
  afterEach(() => server.close());

  function change(body: { currentPassword: string; newPassword: string }) {
    return server.admin.send(contract.changeAdminPassword, { body });
  }

  async function signIn(password: string): Promise<TestApi> {
    const { headers } = await server.stranger.send(contract.adminLogin, { body: { password } });
    return server.as(tokenOf(headers));
  }

  test("ends every other admin login and keeps the own", async () => {
    const other = await signIn(adminPassword);
    expect(await change({ currentPassword: adminPassword, newPassword })).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect((await other.send(contract.whoAmI, {})).status).toBe(401);
    expect((await server.admin.send(contract.whoAmI, {})).status).toBe(200);
    expect(
      (await server.stranger.send(contract.adminLogin, { body: { password: adminPassword } })).status,
    ).toBe(401);
    await signIn(newPassword);
  });

  test("with a wrong current one is 400 and changes nothing", async () => {
    const { status, body } = await change({ currentPassword: "wrong", newPassword });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "VALIDATION", details: [{ field: "currentPassword" }] });
    await signIn(adminPassword);
  });

  test("to one of less than six characters is 400", async () => {
    const { status, body } = await change({ currentPassword: adminPassword, newPassword: "12345" });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: "New password must be at least 6 characters long", details: [{ field: "newPassword" }] },
    });
  });

  test("does not serve to guess the current one", async () => {
    for (let time = 0; time < wrongGuesses; time += 1) {
      expect((await change({ currentPassword: "wrong", newPassword })).status).toBe(400);
    }
    const { status, headers } = await change({ currentPassword: adminPassword, newPassword });
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    await signIn(adminPassword);
  });

  test("by two at the same time lets one through", async () => {
    const other = await signIn(adminPassword);
    const answers = await Promise.all([
      change({ currentPassword: adminPassword, newPassword }),
      other.send(contract.changeAdminPassword, {
        body: { currentPassword: adminPassword, newPassword: "third-day" },
      }),
    ]);
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(200);
    // The other finds its current password wrong, or its login already ended.
    expect([400, 401]).toContain(statuses[1]);
  });

  test("from the shell ends every admin login and lets addresses that guessed wrong try again", async () => {
    for (let time = 0; time < wrongGuesses; time += 1) {
      await server.stranger.send(contract.adminLogin, { body: { password: "wrong" } });
    }
    await resetAdminPassword(server.database.database, passwords, newPassword);
    expect((await server.admin.send(contract.whoAmI, {})).status).toBe(401);
    await signIn(newPassword);
  });
});
