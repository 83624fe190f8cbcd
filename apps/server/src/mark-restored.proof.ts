import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { makeTemporaryFolder } from "./database/testing.ts";
import { buildPrograms } from "./testing/built-programs.ts";

let folder: string;
let pathOf: (program: string) => string;
const started: ChildProcess[] = [];
beforeAll(async () => {
  folder = await makeTemporaryFolder();
  pathOf = await buildPrograms(join(folder, "release"));
});
afterAll(async () => {
  for (const child of started) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

/** A program of this folder in an environment of its own, on the data folder. */
function run(program: "main" | "mark-restored", ...args: string[]) {
  const { PATH = "", HOME = "", NODE_OPTIONS = "" } = process.env;
  const child = spawn(process.execPath, [pathOf(program), ...args], {
    env: {
      ...{ PATH, HOME, NODE_OPTIONS, PORT: "0", DATA_DIR: join(folder, "data") },
      ...{ SHOPIFY_SHOP: "somewhere.myshopify.com", SHOPIFY_ACCESS_TOKEN: "shpat_of_a_secret" },
      // Nothing listens there: the server has to do without Shopify.
      SHOPIFY_API_URL: "http://127.0.0.1:9",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  return child;
}

async function mark(to: Date) {
  const child = run("mark-restored", "--to", to.toISOString());
  const [[code], out, error] = await Promise.all([
    once(child, "close"),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, out, error };
}

/** A running server: the epoch that it names, and how to end it in good order. */
async function startServer() {
  const child = run("main");
  let printed = "";
  child.stdout.on("data", (piece: Buffer) => {
    printed += piece.toString();
  });
  await vi.waitFor(() => expect(printed).toContain("is running at"));
  const url = /running at (http:\S+)/.exec(printed)?.[1] ?? "";
  const health = await fetch(`${url}/api/health`);
  const end = async () => {
    child.kill("SIGTERM");
    await once(child, "close");
  };
  return { epoch: health.headers.get("x-stocktake-epoch"), end };
}

test("a data folder that was copied back is another epoch once it is marked, which a running server refuses", async () => {
  const first = await startServer();
  await first.end();
  const [data, copy] = [join(folder, "data"), join(folder, "copy")];
  execFileSync("cp", ["-a", data, copy]);
  const copiedAt = new Date();
  const second = await startServer();
  expect(second.epoch).toBe(first.epoch);
  expect(await mark(copiedAt)).toMatchObject({
    code: 1,
    error: expect.stringMatching(/^A Stocktake server/),
  });
  await second.end();
  await rm(data, { recursive: true });
  execFileSync("cp", ["-a", copy, data]);

  expect(await mark(copiedAt)).toMatchObject({
    code: 0,
    error: "",
    out: expect.stringMatching(/^Marked as restored to/),
  });
  const third = await startServer();
  await third.end();
  expect(third.epoch).toMatch(/^[0-9a-f-]{36}$/);
  expect(third.epoch).not.toBe(first.epoch);
}, 300_000);
