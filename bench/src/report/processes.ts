import { readdir, readFile } from "node:fs/promises";

/** What a process holds in memory, in mebibytes. */
export async function residentMemory(processId: number): Promise<number> {
  const status = await readFile(`/proc/${processId}/status`, "utf8");
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kibibytes === undefined) throw new Error(`Process ${processId} does not report the memory it holds.`);
  return Number(kibibytes) / 1024;
}

export interface MemoryUse {
  readonly before: number;
  readonly peak: number;
}

const sampleEveryMs = 10;

/** The memory of another process before and, at its most, during a piece of work. Linux alone reports it. */
export async function memoryDuring(processId: number, work: () => Promise<unknown>): Promise<MemoryUse> {
  const before = await residentMemory(processId);
  let peak = before;
  let over = false;
  const watching = (async () => {
    while (!over) {
      peak = Math.max(peak, await residentMemory(processId));
      await new Promise((resolve) => setTimeout(resolve, sampleEveryMs));
    }
  })();
  try {
    await work();
  } finally {
    over = true;
    await watching;
  }
  return { before, peak };
}

interface ProcessTimes {
  readonly id: number;
  readonly parent: number;
  readonly milliseconds: number;
}

/** Linux counts processor time in hundredths of a second, whatever the machine. */
const millisecondsPerTick = 10;

async function timesOf(id: number): Promise<ProcessTimes | null> {
  // A process may end between being listed and being read.
  const text = await readFile(`/proc/${id}/stat`, "utf8").catch(() => null);
  if (text === null) return null;
  // The name before the last bracket may hold blanks; then state, parent, …, from the 12th on user and system time, its
  // own and that of children which ended.
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
  return { id, parent: fields[1] ?? 0, milliseconds: ticks * millisecondsPerTick };
}

/** The processor time of a process alone, in milliseconds. */
export async function ownProcessorTime(id: number): Promise<number> {
  return (await timesOf(id))?.milliseconds ?? Number.NaN;
}

/**
 * The processor time of a process and everything it started, in milliseconds: what a piece of work costs however busy
 * the machine is with others.
 */
export async function processorTime(root: number): Promise<number> {
  const ids = (await readdir("/proc")).map(Number).filter((id) => Number.isInteger(id) && id > 0);
  const all = (await Promise.all(ids.map(timesOf))).filter((times) => times !== null);
  const family = new Set([root]);
  for (let before = 0; before < family.size; ) {
    before = family.size;
    for (const { id, parent } of all) if (family.has(parent)) family.add(id);
  }
  return all.filter(({ id }) => family.has(id)).reduce((sum, { milliseconds }) => sum + milliseconds, 0);
}
