import { execFileSync, spawnSync } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const today = fileURLToPath(new URL("../../..", import.meta.url));
const landingFile = "apps/server/src/database/migrations/previous-landing.txt";

/** The sources of an earlier revision with its web app built, beside which a built server lies: it serves those older pages. */
export interface OlderTree {
  readonly folder: string;
  /** The server's program, for ProductOptions. */
  readonly serverProgram: string;
  /** "bd5b9b95 2026-11-23 Keep pictures …" */
  readonly title: string;
  close(): Promise<void>;
}

function git(...parameters: string[]): string {
  return execFileSync("git", parameters, { cwd: today, encoding: "utf8" }).trim();
}

/** The revision that `npm run landing` last kept the schema of; no other record of a landing is in the tree. */
export function newestLanding(): string {
  return git("log", "-1", "--format=%H", "--", landingFile);
}

/** Throws Error where the program fails, with what it has printed. */
function run(program: string, parameters: readonly string[], cwd: string, input?: Buffer): void {
  const { status, stdout, stderr } = spawnSync(program, parameters, { cwd, input });
  if (status !== 0)
    throw new Error(`${program} ${parameters.join(" ")} ended with ${status}:\n${stdout}${stderr}`);
}

/** All packages of today, but of the workspaces that make pages or drive them those of the older tree. */
async function linkPackages(folder: string): Promise<void> {
  const [from, to] = [join(today, "node_modules"), join(folder, "node_modules")];
  await mkdir(join(to, "@stocktake"), { recursive: true });
  const names = (await readdir(from)).filter((name) => name !== "@stocktake" && !name.startsWith(".vite"));
  for (const name of names) await symlink(join(from, name), join(to, name));
  const workspaces = {
    contract: join(folder, "packages/contract"),
    testkit: join(folder, "packages/testkit"),
    // Shopify is of today, whatever the pages are.
    "shopify-emulator": join(today, "apps/shopify-emulator"),
  };
  for (const [name, path] of Object.entries(workspaces)) await symlink(path, join(to, "@stocktake", name));
}

/**
 * Makes the tree in a temporary folder, with today's server or that of the revision. Throws Error where what is older can't be built
 * with today's packages.
 */
export async function makeOlderTree(revision: string, server: "today's" | "its own"): Promise<OlderTree> {
  const title = git("log", "-1", "--format=%h %as %s", revision);
  const folder = await mkdtemp(join(tmpdir(), "stocktake-older-"));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    // PostgreSQL runs as a user of its own, whose program lies beside the server's.
    await chmod(folder, 0o755);
    const sources = execFileSync("git", ["archive", revision], { cwd: today, maxBuffer: 2 ** 30 });
    run("tar", ["-x"], folder, sources);
    await linkPackages(folder);
    run("npm", ["run", "build", "-w", "apps/web"], folder);
    const built = join(folder, "apps/server/dist");
    if (server === "its own") run("npm", ["run", "build", "-w", "apps/server"], folder);
    else await cp(join(today, "apps/server/dist"), built, { recursive: true });
    return { folder, serverProgram: join(built, "main.js"), title, close };
  } catch (error) {
    await close();
    throw error;
  }
}
