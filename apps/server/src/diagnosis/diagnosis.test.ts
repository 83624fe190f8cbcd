import { createServer } from "node:http";
import { diagnosis } from "@stocktake/contract";
import { afterEach, describe, expect, test } from "vitest";
import { startListener, startMailServer } from "../mail/testing.ts";
import type { TestServer } from "../testing/test-server.ts";
import { findingsOf, startBeside, startServer, startWithShopAhead } from "./testing.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function started(starting: Promise<TestServer>): Promise<TestServer> {
  const server = await starting;
  closing.push(server.close);
  return server;
}

describe("a diagnosis", () => {
  test("is the administrator's, names every part and no secret", async () => {
    const server = await started(startServer({ dataDir: "/tmp" }));
    await server.context.catalogue.refresh();
    expect((await server.stranger.refusal(diagnosis, {})).code).toBe("UNAUTHENTICATED");
    const { findings } = await server.admin.call(diagnosis, {});
    expect(findings.map(({ check, status }) => `${check} ${status}`)).toEqual([
      "configuration warning",
      ...(process.getuid?.() === 0 ? ["configuration warning"] : []),
      expect.stringMatching(/^database /),
      ...findings
        .filter(({ check }) => check === "database")
        .slice(1)
        .map(({ status }) => `database ${status}`),
      expect.stringMatching(/^disk /),
      "shopify ok",
      "scopes ok",
      "clock ok",
      "products ok",
      "products ok",
      "webhooks warning",
      "mail not_configured",
    ]);
    for (const { status, advice } of findings) expect(advice === null).toBe(status === "ok");
    expect(JSON.stringify(findings)).not.toMatch(/shpat|webhook-secret|postgres:\/\//);
  });

  test.each([
    [90_000, "behind"],
    [-90_000, "ahead of"],
  ])(
    "of a clock that Shopify's is %d ms ahead of says by how much it is off, and which way",
    async (milliseconds, where) => {
      const server = await started(startWithShopAhead(milliseconds));
      const message = expect.stringMatching(
        new RegExp(`^The clock is (8[7-9]|9[0-3])(\\.\\d)? s ${where} Shopify's\\.$`),
      );
      expect(await findingsOf(server, "clock")).toEqual([
        { check: "clock", status: "warning", message, advice: expect.stringContaining("Turn on NTP") },
      ]);
    },
  );

  test("of Shopify names missing and needless scopes", async () => {
    const server = await started(startServer());
    await server.shop.changeSettings({ scopes: "read_products,write_inventory,read_locations,write_orders" });
    expect(await findingsOf(server, "scopes")).toEqual([
      expect.objectContaining({ status: "warning", message: expect.stringContaining("write_orders") }),
    ]);
    const later = await started(startBeside(server));
    await server.shop.changeSettings({ scopes: "read_products,read_inventory" });
    expect(await findingsOf(later, "scopes")).toEqual([
      {
        check: "scopes",
        status: "failed",
        message: "The shop has not granted write_inventory, read_locations.",
        advice: expect.stringContaining("Dev Dashboard"),
      },
    ]);
  });

  test("says that the database belongs to another shop", async () => {
    const server = await started(startServer());
    await server.database.pool.query("update installation set shop_domain = 'first.myshopify.com'");
    expect(await findingsOf(server, "shopify", "scopes")).toEqual([
      expect.objectContaining({ status: "failed", message: expect.stringContaining("first.myshopify.com") }),
    ]);
  });

  test("goes on where the database can't be read", async () => {
    const server = await started(startServer());
    await server.database.pool.query("alter table installation rename to gone");
    expect(await findingsOf(server, "database", "shopify")).toEqual([
      expect.objectContaining({ check: "database", status: "failed" }),
      expect.objectContaining({ check: "shopify", status: "ok" }),
    ]);
    await server.database.pool.query("alter table gone rename to installation");
  });
});

describe("the address", () => {
  test("that leads here is fine, and so is a webhook that arrives through it", async () => {
    const server = await started(startServer());
    const beside = await started(startBeside(server));
    expect(await findingsOf(beside, "address", "webhooks")).toEqual([
      expect.objectContaining({ check: "address", status: "ok" }),
      expect.objectContaining({
        check: "webhooks",
        status: "warning",
        message: expect.stringContaining("none since"),
      }),
    ]);
    const item = { item: "JK-1000", location: server.emulator.store.locations[0]?.id ?? "", quantity: 1 };
    const target = { url: `${server.url}/api/webhooks/shopify`, secret: "webhook-secret" };
    await server.shop.setWebhook({ target });
    await server.shop.sell(item);
    await server.shop.deliveries();
    const later = await started(startBeside(server));
    expect(await findingsOf(later, "webhooks")).toEqual([
      expect.objectContaining({ status: "ok", message: expect.stringMatching(/last came at \d{4}-/) }),
    ]);
  });

  test("of another installation, of something else, and of nothing, each says so", async () => {
    const [server, another] = [await started(startServer()), await started(startServer())];
    await server.database.pool.query("update installation set epoch = 'a life of its own'");
    const other = createServer((_request, response) => response.writeHead(502).end("no")).listen(
      0,
      "127.0.0.1",
    );
    closing.push(async () => other.close());
    const moved = await startListener((socket) =>
      socket.end("HTTP/1.1 301 x\r\nLocation: https://x.example/\r\n\r\n"),
    );
    closing.push(moved.close);
    const nothing = await startListener(() => undefined);
    await nothing.close();
    const address = other.address();
    const port = typeof address === "object" ? address?.port : 0;
    const at = async (url: string) => {
      const beside = await started(startBeside(server, {}, url));
      return (await findingsOf(beside, "address")).map(({ status, message }) => `${status}: ${message}`);
    };
    expect(await at(another.url)).toEqual([expect.stringMatching(/^failed: Another Stocktake/)]);
    expect(await at(`http://127.0.0.1:${port}`)).toEqual([
      expect.stringMatching(/^failed: Something else .*502/),
    ]);
    expect(await at(moved.url.replace("smtp", "http"))).toEqual([
      expect.stringMatching(/^failed: .* leads on to https:\/\/x.example\/\.$/),
    ]);
    expect(await at(nothing.url.replace("smtp", "http"))).toEqual([
      expect.stringMatching(/^warning: .*ECONNREFUSED/),
    ]);
  });

  test("whose server has another webhook secret is told to be restarted", async () => {
    const server = await started(startServer());
    const { shopify } = server.context.config;
    if (shopify === null) throw new Error("The test server has a shop.");
    const beside = await started(
      startBeside(server, { shopify: { ...shopify, webhookSecret: "a new one" } }),
    );
    expect(await findingsOf(beside, "webhooks")).toEqual([
      expect.objectContaining({ status: "failed", advice: expect.stringContaining("Restart") }),
    ]);
  });
});

describe("mail", () => {
  const from = "Stocktake <count@example.com>";

  async function said(
    url: string,
    adminEmail: string | null = "owner@example.com",
    before: (server: TestServer) => Promise<unknown> = async () => undefined,
  ) {
    const server = await started(startServer({ smtp: { url, from }, adminEmail }));
    await before(server);
    return (await findingsOf(server, "mail")).map(({ status, message }) => `${status}: ${message}`);
  }

  test("to a server on this machine needs no TLS", async () => {
    const mail = await startMailServer();
    closing.push(mail.close);
    expect(await said(mail.url)).toEqual([
      expect.stringMatching(/^ok: .*Stocktake <count@example.com>/),
      "ok: New sign-ins and guessing are to be told to owner@example.com; whether mail arrives there can't be seen from here.",
    ]);
  });

  test("to the administrator that could not be sent is told of for a week, one that failed a moment ago not yet", async () => {
    const mail = await startMailServer();
    closing.push(mail.close);
    const unsent = await said(mail.url, "owner@example.com", (server) =>
      server.database.pool.query(`
        insert into notices (kind, facts, began_at, last_at, mail_attempts, next_mail_at)
        select 'counter_created', '{"username": "Grace", "by": "admin"}', at, at, attempts, next
        from (values
          (timestamptz '2026-03-01 10:00Z', 12, null),
          (now() - interval '6 days', 12, null),
          (now() - interval '5 minutes', 3, now() + interval '1 minute'),
          (now(), 1, now() + interval '1 minute'),
          (now() - interval '1 hour', 0, null)) mail (at, attempts, next)`),
    );
    expect(unsent.at(-1)).toMatch(
      /^warning: 2 mails to owner@example\.com of the last week could not be sent, the first one of \d{4}-.* UTC\. .*audit log/,
    );
  });

  test("without an address for the administrator says who is not told", async () => {
    const mail = await startMailServer();
    closing.push(mail.close);
    expect((await said(mail.url, null)).at(-1)).toMatch(/^not_configured: Nobody is told by mail/);
  });

  test("over a connection that nobody keeps secret is warned of", async () => {
    const mail = await startMailServer();
    closing.push(mail.close);
    // A name of this machine that is none of the loopback's.
    const url = mail.url.replace("127.0.0.1", "[::ffff:127.0.0.1]");
    expect(await said(url)).toEqual([
      expect.stringMatching(/^ok/),
      expect.stringMatching(/^warning: The mail server offers no TLS/),
      expect.stringMatching(/^ok/),
    ]);
    expect(await said(`${url}?ignoreTLS=true`)).toEqual([
      expect.stringMatching(/^ok/),
      expect.stringMatching(/^warning: Mails are sent without TLS/),
      expect.stringMatching(/^ok/),
    ]);
  });

  test.each([
    [{ adminEmail: "owner@example.com" }, /^warning: ADMIN_EMAIL is set without SMTP_URL/],
    [{ mailFrom: from }, /^warning: MAIL_FROM is set without SMTP_URL/],
    [
      { adminEmail: "owner@example.com", mailFrom: from },
      /^warning: ADMIN_EMAIL and MAIL_FROM are set without/,
    ],
  ])("that is set up in part, %j, is warned of: nothing is sent", async (config, words) => {
    const server = await started(startServer(config));
    const found = await findingsOf(server, "mail");
    expect(found.map(({ status, message }) => `${status}: ${message}`)).toEqual([
      expect.stringMatching(
        /^not_configured: No mail server is configured.* Nobody is told by mail of sign-ins/,
      ),
      expect.stringMatching(words),
    ]);
  });

  test("to a server that is away, or lets nobody in, says what to look at", async () => {
    const nothing = await startListener(() => undefined);
    await nothing.close();
    expect(await said(nothing.url)).toEqual([expect.stringMatching(/^failed: .*ECONNREFUSED/)]);
    const closed = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error("No entry")),
    });
    closing.push(closed.close);
    const server = await started(
      startServer({ smtp: { url: `smtp://shop:secret@127.0.0.1:${closed.port}`, from: "a@b.example" } }),
    );
    const [finding] = await findingsOf(server, "mail");
    expect(finding).toMatchObject({
      status: "failed",
      advice: expect.stringContaining("password in SMTP_URL"),
    });
    expect(JSON.stringify(finding)).not.toContain("secret");
  });
});
