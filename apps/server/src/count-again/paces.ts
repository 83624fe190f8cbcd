import { isOfPaper } from "@stocktake/contract";
import type { AreaWork } from "./material-queries.ts";

/** With fewer scans a pace says nothing, and of fewer areas nobody knows what is usual. */
const fewestScans = 20;
const fewestAreas = 5;
/** So many times the usual pace is fast. */
const fastFrom = 2;

/**
 * The areas that were scanned at least twice as fast as half of the session's areas are, each with how many times as fast, to one
 * decimal. The pace is a person's: two people in an area scan twice as much. Counts from paper were not scanned.
 */
export function fastAreas(work: readonly AreaWork[]): ReadonlyMap<string, number> {
  const paces = work
    .filter(
      ({ scans, devices }) => scans >= fewestScans && !devices.some((deviceId) => isOfPaper({ deviceId })),
    )
    .map(({ areaId, scans, people, seconds }) => ({ areaId, pace: scans / (seconds * people) }));
  if (paces.length < fewestAreas) return new Map();
  const usual = medianOf(paces.map(({ pace }) => pace));
  return new Map(
    paces.flatMap(({ areaId, pace }): [string, number][] => {
      const times = pace / usual;
      return times >= fastFrom ? [[areaId, Math.floor(times * 10) / 10]] : [];
    }),
  );
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length / 2;
  const [lower = 0, upper = lower] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return (lower + upper) / 2;
}
