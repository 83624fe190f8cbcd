import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../packages/testkit/src/free-port.ts";
import { deadLinksIn } from "./documents.ts";

/**
 * Unpacks the archive into an empty folder and uses it as an operator would, with Node and nothing else: no npm, no
 * sources, no PATH; its documents lead to nothing that is missing, and its server says that it is `version`. Throws with what was printed where something is not as it should be.
 */
export async function checkRelease(archive: string, version: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "stocktake-release-"));
  try {
    execFileSync("tar", ["-xzf", archive, "-C", folder]);
    const [name = ""] = readdirSync(folder);
    const home = join(folder, name);
    expectLinksToLead(home);
    await useRelease(home, folder, version);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function expectLinksToLead(home: string): void {
  const dead = deadLinksIn(home);
  if (dead.length > 0) throw new Error(`Documents link to what is not in the archive:\n${dead.join("\n")}`);
}

async function useRelease(home: string, folder: string, version: string): Promise<void> {
  const port = await freePort();
  const environment = {
    PORT: String(port),
    DATA_DIR: join(folder, "data"),
    ADMIN_PASSWORD: "a first password",
    SHOPIFY_SHOP: "nowhere.myshopify.com",
    SHOPIFY_CLIENT_ID: "id",
    SHOPIFY_CLIENT_SECRET: "secret",
    // Nothing listens there: a server starts without Shopify.
    SHOPIFY_API_URL: "http://127.0.0.1:9",
  };
  const began = Date.now();
  const server = start(home, environment);
  const url = `http://127.0.0.1:${port}`;
  const said = await untilHealthy(url, server);
  if (said !== version) throw new Error(`The server says that it is ${said}, and the archive is ${version}.`);
  print(`The server was healthy ${Date.now() - began} ms after its start.`);
  await expectPage(url);
  const backup = join(folder, "backup.gz");
  run(home, environment, ["backup", backup]);
  const doctor = run(home, environment, ["doctor", "--json"], 1);
  for (const part of ['"database"', '"disk"', '"server"']) {
    if (!doctor.includes(part)) throw new Error(`The doctor did not look at ${part}:\n${doctor}`);
  }
  const sessions = run(home, environment, ["archive"]);
  if (!sessions.includes("No session has ended yet."))
    throw new Error(`The archive listed what is not:\n${sessions}`);
  await end(server);
  const marked = run(home, environment, ["mark-restored", "--to", new Date().toISOString()]);
  if (!marked.startsWith("Marked as restored to")) throw new Error(`The data was not marked:\n${marked}`);
  mkdirSync(join(folder, "restored"));
  run(home, { ...environment, DATA_DIR: join(folder, "restored") }, ["restore", backup]);
  print(
    "Health, app, backup, doctor, orderly end, mark-restored and restore work from the unpacked archive.",
  );
}

interface Started {
  readonly child: ChildProcess;
  printed(): string;
}

function start(home: string, environment: Record<string, string>): Started {
  mkdirSync(environment.DATA_DIR ?? "", { recursive: true });
  const child = spawn(process.execPath, ["stocktake.js"], { cwd: home, env: environment });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (piece: string) => {
      printed += piece;
    });
  }
  return { child, printed: () => printed };
}

/** Returns the version that the server says it is. */
async function untilHealthy(url: string, { child, printed }: Started): Promise<string> {
  const until = Date.now() + 60_000;
  while (Date.now() < until && child.exitCode === null) {
    const health = await fetch(`${url}/api/health`).catch(() => null);
    if (health?.ok === true) {
      const { version }: { version: string } = JSON.parse(await health.text());
      return version;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill("SIGKILL");
  throw new Error(`The server did not become healthy:\n${printed()}`);
}

async function expectPage(url: string): Promise<void> {
  const page = await (await fetch(url)).text();
  const script = /<script[^>]+src="([^"]+\.js)"/.exec(page)?.[1];
  if (script === undefined) throw new Error(`The app is not served:\n${page}`);
  const { status } = await fetch(new URL(script, url));
  if (status !== 200) throw new Error(`${script} of the app is not served (${status}).`);
}

/** Runs a command of the release and returns what it printed. */
function run(home: string, environment: Record<string, string>, args: string[], code = 0): string {
  try {
    return execFileSync(process.execPath, ["stocktake.js", ...args], {
      cwd: home,
      env: environment,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    if (!(error instanceof Error && "status" in error && "stdout" in error)) throw error;
    if (error.status === code) return String(error.stdout);
    throw error;
  }
}

async function end({ child, printed }: Started): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const [code] = await ended;
  if (code !== 0) throw new Error(`The server ended with ${code}:\n${printed()}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
