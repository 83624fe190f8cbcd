import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { wrongGuesses } from "../../auth/guess-queries.ts";
import { begin, makeStore } from "../../testing/scenes.ts";
import { adminPassword, startTestServer, type TestServer } from "../../testing/test-server.ts";

async function guess(server: TestServer, password: string, forwardedFor: string): Promise<number> {
  const headers = { "x-forwarded-for": forwardedFor };
  return (await server.stranger.send(contract.adminLogin, { body: { password } }, headers)).status;
}

/** Invites somebody to a session that has just begun, through a proxy that sends these headers. */
async function invite(server: TestServer, headers: Readonly<Record<string, string>>) {
  const session = await begin(server, await makeStore(server));
  const body = {
    sessionId: session._id,
    storeId: session.storeId._id,
    email: "ada@example.com",
    counterName: "Ada",
  };
  return server.admin.send(contract.createInvitation, { body }, headers);
}

describe("with two known proxies, one behind the other", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ config: { trustProxy: ["127.0.0.1", "10.1.0.0/16"] } });
  });
  afterAll(() => server.close());

  test("the visitor's address is the one that the outer proxy saw, and not what the visitor claims", async () => {
    for (let time = 0; time < wrongGuesses; time += 1) {
      const through = `198.51.100.${time}, 203.0.113.7, 10.1.2.3`;
      expect(await guess(server, "wrong", through)).toBe(401);
    }
    expect(await guess(server, adminPassword, "198.51.100.200, 203.0.113.7, 10.1.2.3")).toBe(429);
    expect(await guess(server, adminPassword, "203.0.113.7, 203.0.113.8, 10.1.2.3")).toBe(200);
  });
});

describe("with another proxy known than the caller", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ config: { trustProxy: ["10.1.0.0/16"] } });
  });
  afterAll(() => server.close());

  test("nothing that the caller says of visitors, host and protocol is believed", async () => {
    const { status } = await server.admin.send(contract.health, {}, { "x-forwarded-for": "203.0.113.7" });
    expect(status).toBe(200);
    const headers = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" };
    expect((await invite(server, headers)).status).toBe(201);
    const { rows } = await server.database.pool.query<{ link: string }>("select link from outbox_mails");
    expect(rows[0]?.link).toMatch(new RegExp(`^${server.url}/`));
  });
});

describe("without PUBLIC_URL", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ config: { trustProxy: true } });
  });
  afterAll(() => server.close());

  test.each(["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "a b", "evil.example/x"])(
    "no invitation is made whose link would begin with %s",
    async (host) => {
      const { status, body } = await invite(server, { "x-forwarded-host": host });
      expect([status, body]).toEqual([
        400,
        expect.objectContaining({ code: "VALIDATION", error: expect.stringContaining("PUBLIC_URL") }),
      ]);
    },
  );

  test.each(["localhost:3000", "192.168.1.20:3000", "[fd00::20]:3000"])(
    "a link may begin with %s",
    async (host) => {
      expect((await invite(server, { "x-forwarded-host": host })).status).toBe(201);
      const { rows } = await server.database.pool.query<{ link: string }>(
        "select link from outbox_mails order by created_at desc limit 1",
      );
      expect(rows[0]?.link).toMatch(`http://${host}/`);
    },
  );
});
