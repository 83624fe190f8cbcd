import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Product } from "@stocktake/testkit";
import { residentMemory } from "../report/processes.ts";

/** What the product held at a moment. */
export interface Sample {
  readonly at: number;
  /** The server's resident memory, in mebibytes. */
  readonly memory: number;
  /** The server's open descriptors: connections, files, its database. */
  readonly handles: number;
  /** PostgreSQL's processes that serve a connection. */
  readonly connections: number;
}

async function backendsOf(postmaster: number): Promise<number> {
  const text = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, "utf8");
  const names = await Promise.all(
    text
      .trim()
      .split(" ")
      .map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")),
  );
  // "postgres: stocktake: user database [local] idle": those of the system's own work name no database.
  return names.filter((name) => name.includes("[local]") || name.includes("127.0.0.1")).length;
}

export async function sampleOf({ process: child, dataDir }: Product): Promise<Sample> {
  const id = child.pid ?? 0;
  const record = await readFile(join(dataDir, "postgres/data/postmaster.pid"), "utf8");
  return {
    at: performance.now(),
    memory: await residentMemory(id),
    handles: (await readdir(`/proc/${id}/fd`)).length,
    connections: await backendsOf(Number(record.split("\n")[0])),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

/** How much more the last quarter of a run held than the second, which is after its warm-up. */
export function growthOf(samples: readonly Sample[], what: "memory" | "handles" | "connections"): number {
  const quarter = Math.floor(samples.length / 4);
  const held = (part: readonly Sample[]) => median(part.map((sample) => sample[what]));
  return held(samples.slice(-quarter)) - held(samples.slice(quarter, 2 * quarter));
}

export function highest(samples: readonly Sample[], what: "memory" | "handles" | "connections"): number {
  return Math.max(...samples.map((sample) => sample[what]));
}
