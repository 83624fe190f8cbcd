import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** Where Linux keeps files in memory; other systems have no such place. */
const inMemory = "/dev/shm";
/** A run was seen to take 0.3 GiB; the rest stays free for everything else. */
const leastFreeBytes = 4 * 1024 ** 3;

/** Only a process that is nowhere has ended: another user's may not be asked. */
function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

/** What is free there, and in memory for whatever runs here. */
function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return Math.min(bavail * bsize, process.availableMemory());
}

/** Takes away what runs have left behind that were killed: it holds memory until then. Another user's stays. */
function removeLeftFolders(parent: string): void {
  for (const entry of readdirSync(parent)) {
    const [, pid] = /^stocktake-tests-(\d+)-/.exec(entry) ?? [];
    const folder = join(parent, entry);
    if (pid === undefined || statSync(folder).uid !== process.getuid?.() || !hasEnded(Number(pid))) continue;
    rmSync(folder, { recursive: true, force: true });
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
  if (!existsSync(parent)) return null;
  removeLeftFolders(parent);
  if (named !== null || freeBytes(parent) < leastBytes) return null;
  const folder = mkdtempSync(join(parent, `stocktake-tests-${process.pid}-`));
  // As /tmp: PostgreSQL runs as another user where root runs the tests.
  chmodSync(folder, 0o1777);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  if (runsPrograms(folder)) return folder;
  remove();
  return null;
}
