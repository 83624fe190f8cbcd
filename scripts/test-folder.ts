import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

/** Where Linux keeps files in memory; other systems have no such place. */
const inMemory = "/dev/shm";
const name = "stocktake-tests-";
/** What a run's databases take at most is half of it; the other half stays free for everything else. */
const leastFreeBytes = 8 * 1024 ** 3;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return Math.min(bavail * bsize, freemem());
  } catch {
    return 0;
  }
}

/** Takes away what runs have left behind that were killed: it holds memory until then. */
function removeLeftFolders(parent: string): void {
  const left = readdirSync(parent).filter((entry) => entry.startsWith(name));
  for (const entry of left) {
    if (!isRunning(Number(entry.slice(name.length))))
      rmSync(join(parent, entry), { recursive: true, force: true });
  }
}

/** A folder may lie where no program may run, and some tests write one. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}

interface TestFolderOptions {
  readonly parent?: string;
  readonly leastBytes?: number;
  readonly named?: string | null;
}

/**
 * A folder in memory for the run's temporary files, removed when this process ends: the tests make and remove hundreds of
 * databases of hundreds of files, which on a disk takes a fifth of their time. Null where there is no such room, or where whoever
 * runs the tests has named a folder by TMPDIR.
 */
export function openTestFolder({
  parent = inMemory,
  leastBytes = leastFreeBytes,
  named = process.env.TMPDIR ?? null,
}: TestFolderOptions = {}): string | null {
  if (named !== null || freeBytes(parent) < leastBytes) return null;
  removeLeftFolders(parent);
  const folder = join(parent, `${name}${process.pid}`);
  mkdirSync(folder);
  // As /tmp: PostgreSQL runs as another user where root runs the tests.
  chmodSync(folder, 0o1777);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  if (runsPrograms(folder)) return folder;
  remove();
  return null;
}
