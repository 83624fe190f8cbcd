import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { buildPrograms } from "./testing/built-programs.ts";

const started: ChildProcess[] = [];
let folder: string;
let dataDir: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stocktake-main-"));
  dataDir = join(folder, "data");
  program = (await buildPrograms(join(folder, "release")))("main");
});
afterAll(async () => {
  for (const child of started) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

/** A server process in an environment of its own, and what it prints. */
function run(environment: Record<string, string>) {
  const { PATH = "", HOME = "", NODE_OPTIONS = "" } = process.env;
  const child = spawn(process.execPath, [program], {
    env: { PATH, HOME, NODE_OPTIONS, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  const printed = { out: "", error: "" };
  child.stdout.on("data", (piece: Buffer) => {
    printed.out += piece.toString();
  });
  child.stderr.on("data", (piece: Buffer) => {
    printed.error += piece.toString();
  });
  const ended = once(child, "close").then(([code]): number | null => code);
  return { child, printed, ended };
}

/** Nothing listens there: the server has to do without Shopify. */
const shopifyDown = {
  SHOPIFY_SHOP: "somewhere.myshopify.com",
  SHOPIFY_ACCESS_TOKEN: "shpat_of_a_secret",
  SHOPIFY_API_URL: "http://127.0.0.1:9",
};

describe("the server's program", () => {
  test("names every bad variable and ends", async () => {
    const { printed, ended } = run({
      PORT: "many",
      PUBLIC_URL: "here",
      LOG_LEVEL: "loud",
      SHOPIFY_CLIENT_ID: "x",
    });
    expect(await ended).toBe(1);
    for (const name of ["PORT", "PUBLIC_URL", "LOG_LEVEL"]) expect(printed.error).toContain(name);
  });

  test("ends without a Shopify shop, and says what to set", async () => {
    const { printed, ended } = run({ DATA_DIR: dataDir });
    expect(await ended).toBe(1);
    expect(printed.error).toContain("SHOPIFY_SHOP");
  });

  test("ends where its database can't be reached, and says which variable leads there", async () => {
    const address = "postgres://ada:of-the-database@127.0.0.1:9/shop";
    const { printed, ended } = run({ ...shopifyDown, PORT: "0", DATABASE_URL: address });
    expect(await ended).toBe(1);
    expect(printed.error).toMatch(/^DATABASE_URL leads to no database .* 127\.0\.0\.1:9 .*\n$/);
    expect(printed.out + printed.error).not.toContain("of-the-database");
  });

  test("runs while Shopify is down, prints its address and once the password, and ends when it is asked to", async () => {
    const environment = { ...shopifyDown, DATA_DIR: dataDir, PORT: "0" };
    const first = run(environment);
    await vi.waitFor(() => expect(first.printed.out).toMatch(/password is \S+ \(shown only this once/));
    const url = /running at (http:\S+)/.exec(first.printed.out)?.[1] ?? "";
    const health = await (await fetch(`${url}/api/health`)).json();
    expect(health).toMatchObject({ status: "ok", shopify: { status: "unavailable" } });
    expect(first.printed.out).not.toContain(shopifyDown.SHOPIFY_ACCESS_TOKEN);

    const second = run(environment);
    expect(await second.ended).toBe(1);
    expect(second.printed.error).toContain("already using the data folder");

    first.child.kill("SIGTERM");
    expect(await first.ended).toBe(0);

    const again = run(environment);
    await vi.waitFor(() => expect(again.printed.out).toContain("is running at"));
    again.child.kill("SIGINT");
    expect(await again.ended).toBe(0);
    expect(again.printed.out).not.toContain("password");
  });

  test("says that mails travel without TLS, and not the mail server's password", async () => {
    const { child, printed, ended } = run({
      ...{ ...shopifyDown, DATA_DIR: join(folder, "mailing"), PORT: "0" },
      ...{ PUBLIC_URL: "https://stock.example", MAIL_FROM: "stock@shop.example" },
      SMTP_URL: "smtp://stock:of-the-mail-server@mail.invalid?ignoreTLS=true",
    });
    await vi.waitFor(() => expect(printed.out).toContain("is running at"));
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(printed.out).toContain("Mails are sent without TLS");
    expect(printed.out).toContain("Take ignoreTLS out of SMTP_URL.");
    expect(printed.out + printed.error).not.toContain("of-the-mail-server");
  });

  test("says when its port is taken, and leaves no data folder behind that would keep the first password to itself", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { printed, ended } = run({ ...shopifyDown, DATA_DIR: join(folder, "unused"), PORT: String(port) });
    expect(await ended).toBe(1);
    expect(existsSync(join(folder, "unused"))).toBe(false);
    expect(printed.error).toContain(`Port ${port} on 127.0.0.1 is already in use`);
    taken.close();
  });
});
