import { access, constants, statfs } from "node:fs/promises";

/** Parallel hash joins ask for tens of megabytes at a time; Docker's default /dev/shm holds 64 in all. */
const enoughBytes = 256 * 1024 * 1024;

export interface SharedMemory {
  /** Where the system keeps POSIX shared memory. */
  readonly folder?: string;
  readonly platform?: string;
  /** The free bytes there that are enough. */
  readonly enough?: number;
}

/**
 * PostgreSQL's setting for the memory that its processes share while a query runs. Linux keeps it in /dev/shm; where
 * that is small, absent or closed to us, queries would fail half-way, and files in the data folder serve instead.
 */
export async function sharedMemorySettings(memory: SharedMemory = {}): Promise<Record<string, string>> {
  const { folder = "/dev/shm", platform = process.platform, enough = enoughBytes } = memory;
  if (platform !== "linux") return {};
  return (await freeBytes(folder)) >= enough ? {} : { dynamic_shared_memory_type: "mmap" };
}

async function freeBytes(folder: string): Promise<number> {
  try {
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    // Not there, or not for us: no room either way.
    return 0;
  }
}
