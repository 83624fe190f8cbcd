import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chown, mkdtemp } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import pg from "pg";
import { z } from "zod";
import { canReach, nobody } from "../embedded-postgres/unprivileged.ts";
import type { DatabaseConnection } from "./connection.ts";
import { systemCode } from "./errors.ts";

const connectionSchema = z.object({
  host: z.string(),
  port: z.number(),
  user: z.string(),
  database: z.string(),
});
const messageSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("started"), connection: connectionSchema, uid: z.number() }),
  z.object({ kind: z.literal("failed"), reason: z.string(), message: z.string() }),
]);

export interface ServerProcess {
  readonly said: z.infer<typeof messageSchema>;
  readonly process: ChildProcess;
  /** kill -9, and until the process is gone. */
  kill(): Promise<void>;
}

/** Runs the embedded database in a process of its own, as an ordinary user if that is asked for. */
export async function startServerProcess(dataDir: string, { ordinary = false } = {}): Promise<ServerProcess> {
  const command = commandFor(new URL("./testing-server.ts", import.meta.url), [dataDir]);
  const child = ordinary ? await spawnOrdinary(command) : spawnPlain(command);
  const said = messageSchema.parse(JSON.parse(await firstLine(child.stdout)));
  const kill = async () => {
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  return { said, process: child, kill };
}

/** Prepares a PostgreSQL package as an ordinary user, in a process of its own. Returns what that prints. */
export async function prepareAsOrdinary(packageFolder: string, linkFolder: string): Promise<string> {
  const child = await spawnOrdinary(
    commandFor(new URL("./testing-programs.ts", import.meta.url), [packageFolder, linkFolder]),
  );
  const line = await firstLine(child.stdout);
  if (child.exitCode === null) await once(child, "exit");
  return line;
}

function commandFor(program: URL, args: readonly string[]): string[] {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  return [process.execPath, "--import", loader, fileURLToPath(program), ...args];
}

async function firstLine(output: Readable): Promise<string> {
  for await (const line of createInterface({ input: output })) return line;
  throw new Error("The program ended without a word.");
}

function spawnPlain([file, ...args]: string[], options: { uid?: number; gid?: number } = {}) {
  return spawn(String(file), args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
}

/** Ourselves where we are ordinary; as root, nobody: by stepping down, or by name where nobody cannot read the project. */
async function spawnOrdinary(command: string[]) {
  if (process.getuid?.() !== 0) return spawnPlain(command);
  if (await rootStepsDown()) return spawnPlain(command, { uid: nobody, gid: nobody });
  return spawnPlain(["unshare", "--user", `--map-user=${nobody}`, `--map-group=${nobody}`, ...command]);
}

async function rootStepsDown(): Promise<boolean> {
  const user = { uid: nobody, gid: nobody };
  const here = dirname(fileURLToPath(import.meta.url));
  return (await canReach(user, here)) && (await canReach(user, dirname(process.execPath)));
}

/** A new folder that belongs to the user of `startServerProcess({ ordinary: true })`. */
export async function makeOrdinaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "stocktake-test-"));
  if (process.getuid?.() === 0 && (await rootStepsDown())) await chown(folder, nobody, nobody);
  return folder;
}

/** The process id of the PostgreSQL that serves a data folder. */
export function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, "postgres/data/postmaster.pid"), "utf8").split("\n")[0]);
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (systemCode(error) === "ESRCH") return false;
    throw error;
  }
}

/** Runs one statement on a connection of its own. */
export async function query(connection: DatabaseConnection, statement: string) {
  const client = new pg.Client({ ...connection });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
