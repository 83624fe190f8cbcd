import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sessionRoutes } from "../sessions/routes.ts";
import { begin, join, makeStore } from "../testing/scenes.ts";
import { adminPassword, startTestServer, type TestServer, tokenOf } from "../testing/test-server.ts";
import { userRoutes } from "../users/routes.ts";
import { authRoutes } from "./routes.ts";
import { signInsPerHour } from "./sign-in.ts";

const slices = [authRoutes, userRoutes, sessionRoutes];
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ slices });
});
afterAll(() => server.close());

function signIn(password: string, on = server, headers: Record<string, string> = {}) {
  return on.stranger.send(contract.adminLogin, { body: { password } }, headers);
}

test("a counter's account is signed in to some hundred times an hour at most, and again after it", async () => {
  const body = { username: "Often", password: "from-the-navy" };
  const params = { id: (await server.admin.call(contract.createCounter, { body })).counter._id };
  await server.stranger.call(contract.counterLogin, { body });
  const { pool } = server.database;
  await pool.query("update users set sign_ins = $1 where id = $2", [signInsPerHour - 1, params.id]);
  await server.stranger.call(contract.counterLogin, { body });
  await server.stranger.send(contract.counterLogin, { body: { ...body, password: "mistyped" } });
  const refused = await server.stranger.send(contract.counterLogin, { body });
  const { rows: counted } = await pool.query("select from failed_logins where account = $1", [params.id]);
  expect(counted).toHaveLength(1);
  expect([refused.status, refused.body]).toEqual([429, expect.objectContaining({ code: "RATE_LIMITED" })]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_500);
  const changed = { ...body, password: "given-out-anew" };
  await server.admin.call(contract.updateCounter, { params, body: { password: changed.password } });
  await server.stranger.call(contract.counterLogin, { body: changed });
  await pool.query("update users set sign_ins = $1 where id = $2", [signInsPerHour, params.id]);
  await pool.query("update users set sign_ins_since = sign_ins_since - interval '1 hour' where id = $1", [
    params.id,
  ]);
  await server.stranger.call(contract.counterLogin, { body: changed });
});

describe("signing in as the administrator", () => {
  test("answers with the user and sets the one cookie of the login", async () => {
    const { status, body, headers } = await signIn(adminPassword);
    expect(status).toBe(200);
    expect(body).toEqual({
      user: {
        _id: expect.any(String),
        username: "admin",
        role: "admin",
        isTemporary: false,
        invitationId: null,
      },
    });
    const [cookie = "", ...more] = headers.getSetCookie();
    expect(more).toEqual([]);
    expect(cookie).toMatch(/^stocktake_session=[\w-]{43}; /);
    expect(cookie.split("; ").slice(1).sort()).toEqual([
      "HttpOnly",
      "Max-Age=2592000",
      "Path=/",
      "SameSite=Lax",
    ]);
  });

  test("sets the mark of a browser, which names the origin of its page, after the login's cookie", async () => {
    const { headers } = await signIn(adminPassword, server, { origin: server.url });
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^stocktake_session=/),
      expect.stringMatching(/^stocktake_device=/),
    ]);
  });

  test("sets Secure cookies where PUBLIC_URL is https", async () => {
    const config = { publicUrl: new URL("https://count.example.com") };
    const secured = await startTestServer({ slices: [authRoutes], config });
    const { headers } = await signIn(adminPassword, secured, { origin: config.publicUrl.origin });
    const cookies = headers.getSetCookie();
    expect(cookies.filter((cookie) => cookie.includes("; Secure"))).toHaveLength(2);
    expect(cookies).toHaveLength(2);
    await secured.close();
  });

  test("with a wrong password is 401 and sets nothing", async () => {
    const { status, body, headers } = await signIn("counting-night");
    expect(status).toBe(401);
    expect(body).toEqual({ error: "The password is wrong.", code: "UNAUTHENTICATED" });
    expect(headers.getSetCookie()).toEqual([]);
  });

  test("without a password, or with one beyond the limit, is 400", async () => {
    expect((await signIn("")).status).toBe(400);
    expect((await signIn("x".repeat(201))).status).toBe(400);
  });

  test("ends the login that the same browser held until then", async () => {
    const before = server.as(tokenOf((await signIn(adminPassword)).headers));
    await before.send(contract.adminLogin, { body: { password: adminPassword } });
    expect((await before.send(contract.whoAmI, {})).status).toBe(401);
  });
});

describe("signing in as a permanent counter", () => {
  const given = { username: "Grace", password: "from-the-navy" };

  beforeAll(() => server.admin.call(contract.createCounter, { body: given }));

  test("takes the name without regard to case and blanks around it", async () => {
    const { user } = await server.stranger.call(contract.counterLogin, {
      body: { ...given, username: "  gRACE " },
    });
    expect(user).toMatchObject({
      username: "Grace",
      role: "counter",
      isTemporary: false,
      invitationId: null,
    });
  });

  test("takes the name as people see it, also one that was stored with what nobody sees", async () => {
    const stored = { username: "Zoe\u200b", password: "older-than-the-rule" };
    await server.admin.call(contract.createCounter, { body: { ...stored, username: "Zo\u00eb" } });
    await server.admin.call(contract.createCounter, { body: { ...stored, username: "Zoe" } });
    const { database } = server.database;
    await database
      .updateTable("users")
      .set({ username: stored.username })
      .where("username", "=", "Zoe")
      .execute();
    for (const username of ["Zoe\u0308", "Zo\u00eb\u200b", stored.username]) {
      const { user } = await server.stranger.call(contract.counterLogin, { body: { ...stored, username } });
      expect(user.role).toBe("counter");
    }
  });

  test("says the same about an unknown name and a wrong password", async () => {
    const unknown = await server.stranger.refusal(contract.counterLogin, {
      body: { ...given, username: "Nobody" },
    });
    const wrong = await server.stranger.refusal(contract.counterLogin, {
      body: { ...given, password: "guess" },
    });
    expect(unknown).toEqual(wrong);
    expect(unknown).toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
  });

  test("is no way in for the administrator or a temporary counter", async () => {
    const store = await makeStore(server);
    await join(server, await begin(server, store), { name: "Ada" });
    for (const username of ["admin", "Ada"]) {
      const body = { username, password: adminPassword };
      expect((await server.stranger.refusal(contract.counterLogin, { body })).status).toBe(401);
    }
  });
});

describe("who is signed in", () => {
  test("is 401 for a stranger, for a made-up cookie and for an empty one", async () => {
    for (const visitor of [server.stranger, server.as("made-up"), server.as("")]) {
      expect(await visitor.refusal(contract.whoAmI, {})).toMatchObject({
        status: 401,
        code: "UNAUTHENTICATED",
      });
    }
  });

  test("is the administrator without invitation data", async () => {
    const { user, invitationData } = await server.admin.call(contract.whoAmI, {});
    expect(user.role).toBe("admin");
    expect(invitationData).toBeNull();
  });
});

describe("signing out", () => {
  test("ends the login on the server and takes the cookie away, and may be repeated", async () => {
    const visitor = server.as(tokenOf((await signIn(adminPassword)).headers));
    const { status, body, headers } = await visitor.send(contract.logout, {});
    expect({ status, body }).toEqual({ status: 200, body: { success: true } });
    expect(headers.getSetCookie()[0]).toMatch(/^stocktake_session=; .*Expires=Thu, 01 Jan 1970/);
    expect((await visitor.send(contract.whoAmI, {})).status).toBe(401);
    expect((await visitor.send(contract.logout, {})).status).toBe(200);
    expect((await server.stranger.send(contract.logout, {})).status).toBe(200);
  });

  test("leaves the other logins of the same user alone", async () => {
    const one = server.as(tokenOf((await signIn(adminPassword)).headers));
    const other = server.as(tokenOf((await signIn(adminPassword)).headers));
    await one.call(contract.logout, {});
    expect((await other.send(contract.whoAmI, {})).status).toBe(200);
  });
});

test("no column holds a password or a login's cookie", async () => {
  const token = tokenOf((await signIn(adminPassword)).headers);
  for (const table of ["users", "logins", "failed_logins"]) {
    const { rows } = await server.database.pool.query(`select to_jsonb(t)::text as stored from ${table} t`);
    const stored = rows.map((row) => row.stored).join("\n");
    expect(stored).not.toContain(adminPassword);
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(Buffer.from(token).toString("hex"));
  }
});
