import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createHurryingClock } from "../testing/hurrying-clock.ts";
import { adminPassword, startTestServer, type TestServer } from "../testing/test-server.ts";
import { userRoutes } from "../users/routes.ts";
import { loginCookie } from "./authentication.ts";
import { deviceMarkCookie } from "./device-mark.ts";
import { createGuessLimit } from "./guess-limit.ts";
import { attack } from "./guess-pace.ts";
import { wrongGuesses } from "./guess-queries.ts";
import { authRoutes } from "./routes.ts";

let server: TestServer;
let adminId: string;
const ownPassword = "from-the-navy";

beforeAll(async () => {
  server = await startTestServer({
    slices: [authRoutes, userRoutes],
    config: { trustProxy: true },
    environment: { clock: createHurryingClock() },
  });
  adminId = (await server.admin.call(contract.whoAmI, {})).user._id;
  for (const username of ["Grace", "Mallory"]) {
    await server.admin.call(contract.createCounter, { body: { username, password: ownPassword } });
  }
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.pool.query("delete from failed_logins");
});

interface From {
  readonly ip: string;
  readonly mark?: string;
}

function headersOf({ ip, mark }: From): Record<string, string> {
  return {
    "x-forwarded-for": ip,
    origin: server.url,
    ...(mark === undefined ? {} : { cookie: `${deviceMarkCookie}=${mark}` }),
  };
}

function signInAdmin(password: string, from: From) {
  return server.stranger.send(contract.adminLogin, { body: { password } }, headersOf(from));
}

function signInCounter(username: string, password: string, from: From) {
  return server.stranger.send(contract.counterLogin, { body: { username, password } }, headersOf(from));
}

/** The mark that a browser keeps after it has signed in. */
function markOf({ headers }: { headers: Headers }): string {
  const cookie = headers.getSetCookie().find((text) => text.startsWith(`${deviceMarkCookie}=`)) ?? "";
  return cookie.slice(deviceMarkCookie.length + 1).split(";")[0] ?? "";
}

/** As many wrong passwords of strangers at the administrator's account as an attack takes, from many addresses. */
async function attackAdmin(from = "192.0.2.") {
  await server.database.pool.query(
    `insert into failed_logins (kind, account, address, newcomer)
     select 'admin', $1, $2 || (number % 50)::text, number < 50 from generate_series(0, $3) number`,
    [adminId, from, attack.lately],
  );
}

describe("a permanent counter who guesses at others", () => {
  test("takes nothing back by signing in right in between", async () => {
    const from = { ip: "203.0.113.1" };
    const statuses: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      for (let guess = 0; guess < 4; guess += 1) {
        statuses.push((await signInCounter("Grace", `guess-${round}-${guess}`, from)).status);
      }
      await signInCounter("Mallory", ownPassword, from);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(wrongGuesses);
    expect(statuses.slice(wrongGuesses)).toEqual(statuses.slice(wrongGuesses).map(() => 429));
  });

  test("takes nothing back of names that are nobody's either", async () => {
    const from = { ip: "203.0.113.2" };
    for (let guess = 0; guess < wrongGuesses - 1; guess += 1) await signInCounter(`No ${guess}`, "x", from);
    expect((await signInCounter("Mallory", ownPassword, from)).status).toBe(200);
    expect((await signInCounter("Grace", "x", from)).status).toBe(401);
    expect((await signInCounter("Grace", "x", from)).status).toBe(429);
  });

  test("is a stranger to them in a browser that knows the guesser alone", async () => {
    const mark = markOf(await signInCounter("Mallory", ownPassword, { ip: "203.0.113.3" }));
    const from = { ip: "203.0.113.4", mark };
    for (let guess = 0; guess < wrongGuesses; guess += 1) await signInCounter("Grace", "x", from);
    const elsewhere = { ip: "203.0.113.4", mark: markOf(await signInCounter("Mallory", ownPassword, from)) };
    expect((await signInCounter("Grace", "x", elsewhere)).status).toBe(429);
  });
});

describe("three hundred addresses that guess at the administrator's password", () => {
  test("are slowed down together", async () => {
    const slept: number[] = [];
    const sleep = async (milliseconds: number) => void slept.push(milliseconds);
    const limit = createGuessLimit(server.database.database, { sleep });
    let checked = 0;
    const check = async () => {
      checked += 1;
      return null;
    };
    const addresses = Array.from({ length: 300 }, (_, index) => `198.51.${index % 2}.${index}`);
    const began = performance.now();
    const guesses = addresses.map((ip) =>
      limit.attempt({ kind: "admin", account: adminId, ip, mark: null }, check),
    );
    await Promise.allSettled(guesses);
    const seconds = (performance.now() - began) / 1000;
    // Two checks a second from then on, and those that wait in the line.
    expect(checked).toBeGreaterThanOrEqual(attack.lately);
    expect(checked).toBeLessThanOrEqual(attack.lately + 2 * seconds + 17);
    expect(slept.length).toBeGreaterThan(10);
  });

  test("do not hold up the administrator's own browser, whose wrong passwords count for it alone", async () => {
    const mark = markOf(await signInAdmin(adminPassword, { ip: "203.0.113.5" }));
    await attackAdmin();
    const waiting = Array.from({ length: 10 }, (_, index) =>
      signInAdmin("guess", { ip: `198.51.100.${index}` }),
    );
    // Even from an address that has used up its own guesses.
    const honest = { ip: "192.0.2.7", mark };
    for (let wrong = 1; wrong < wrongGuesses; wrong += 1) {
      expect((await signInAdmin("mistyped", honest)).status).toBe(401);
    }
    expect((await signInAdmin(adminPassword, honest)).status).toBe(200);
    for (const { status } of await Promise.all(waiting)) expect([401, 429]).toContain(status);
  });

  test("do not lock a browser out that is new: they wait in another line once they have guessed", async () => {
    await attackAdmin();
    expect((await signInAdmin(adminPassword, { ip: "203.0.113.6" })).status).toBe(200);
  });
});

describe("a browser's mark", () => {
  test("names an account no longer whose password was changed since, but for the browser that changed it", async () => {
    const first = await signInAdmin(adminPassword, { ip: "203.0.113.50" });
    const cookies = `${loginCookie}=${server.admin.token}; ${deviceMarkCookie}=${markOf(first)}`;
    const body = { currentPassword: adminPassword, newPassword: adminPassword };
    const changed = await server.stranger.send(
      contract.changeAdminPassword,
      { body },
      { ...headersOf({ ip: "203.0.113.50" }), cookie: cookies },
    );
    const countedAs = async (mark: string) => {
      await server.database.pool.query("delete from failed_logins");
      await signInAdmin("mistyped", { ip: "203.0.113.51", mark });
      const { rows } = await server.database.pool.query(
        "select mark is not null as known from failed_logins",
      );
      return rows;
    };
    expect(await countedAs(markOf(first))).toEqual([{ known: false }]);
    expect(await countedAs(markOf(changed))).toEqual([{ known: true }]);
    const again = await signInAdmin(adminPassword, { ip: "203.0.113.50", mark: markOf(first) });
    expect(await countedAs(markOf(again))).toEqual([{ known: true }]);
  });

  test("of a counter is a stranger's once the administrator has given another password", async () => {
    const { counter } = await server.admin.call(contract.createCounter, {
      body: { username: "Renewed", password: ownPassword },
    });
    const mark = markOf(await signInCounter("Renewed", ownPassword, { ip: "203.0.113.52" }));
    const change = { params: { id: counter._id }, body: { password: "another-day" } };
    await server.admin.call(contract.updateCounter, change);
    await signInCounter("Renewed", ownPassword, { ip: "203.0.113.52", mark });
    const { rows } = await server.database.pool.query("select mark from failed_logins");
    expect(rows).toEqual([{ mark: null }]);
  });

  test("has a budget of its own, wherever the browser is", async () => {
    const mark = markOf(await signInAdmin(adminPassword, { ip: "203.0.113.7" }));
    for (let wrong = 0; wrong < wrongGuesses; wrong += 1) {
      expect((await signInAdmin("mistyped", { ip: `203.0.113.${10 + wrong}`, mark })).status).toBe(401);
    }
    expect((await signInAdmin(adminPassword, { ip: "203.0.113.30", mark })).status).toBe(429);
    expect((await signInAdmin(adminPassword, { ip: "203.0.113.30" })).status).toBe(200);
  });

  test("names everybody who has signed in there, and stays the same", async () => {
    const first = markOf(await signInAdmin(adminPassword, { ip: "203.0.113.8" }));
    const second = markOf(await signInCounter("Grace", ownPassword, { ip: "203.0.113.8", mark: first }));
    const [id = ""] = decodeURIComponent(first).split(".");
    expect(decodeURIComponent(second).split(".")).toEqual([
      id,
      expect.any(String),
      expect.stringMatching(new RegExp(`^${adminId}:\\d+$`)),
      expect.any(String),
    ]);
  });

  test("is a cookie for the calls that take passwords, and lasts", async () => {
    const { headers } = await signInAdmin(adminPassword, { ip: "203.0.113.9" });
    const cookie = headers.getSetCookie().find((text) => text.startsWith(deviceMarkCookie)) ?? "";
    expect(cookie.split("; ").slice(1).sort()).toEqual([
      "HttpOnly",
      "Max-Age=34560000",
      "Path=/api/auth",
      "SameSite=Lax",
    ]);
  });

  test("that was made up, or changed, is none", async () => {
    const mark = decodeURIComponent(
      markOf(await signInCounter("Mallory", ownPassword, { ip: "203.0.113.40" })),
    );
    const [id, mallory, signature] = mark.split(".");
    await server.database.pool.query(
      "insert into failed_logins (kind, address) select 'admin', '203.0.113.41' from generate_series(1, 10)",
    );
    for (const forged of [
      "x",
      ".",
      `${id}.${adminId}.${signature}`,
      `${id}.${mallory}.${adminId}.${signature}`,
    ]) {
      const from = { ip: "203.0.113.41", mark: encodeURIComponent(forged) };
      expect((await signInAdmin(adminPassword, from)).status).toBe(429);
    }
  });
});
