import { atMostDiffering, type ControlSample, type DrawnArea, groupBy } from "@stocktake/contract";
import type { Database } from "../../database/pool.ts";
import {
  type ControlledSku,
  type DrawnRow,
  presentCommitment,
  presentSampled,
  readControlled,
  readDrawn,
  readSamples,
  type SampleRow,
} from "./sample-queries.ts";

/** Samples with what has become of them by now. */
export async function presentSamples(
  database: Database,
  sessionId: string,
  rows: readonly SampleRow[],
): Promise<ControlSample[]> {
  const numbers = rows.map(({ number }) => number);
  const drawn = groupBy(await readDrawn(database, sessionId, numbers), ({ number }) => number);
  const controlled = groupBy(await readControlled(database, sessionId, numbers), ({ number }) => number);
  return rows.map((row) => present(row, drawn.get(row.number) ?? [], controlled.get(row.number) ?? []));
}

/** One sample; undefined where the session has none of the number. */
export async function findSample(
  database: Database,
  sessionId: string,
  number: number,
): Promise<ControlSample | undefined> {
  const rows = await readSamples(database, sessionId, { from: number, count: 1 });
  const [sample] = await presentSamples(database, sessionId, rows);
  return sample?.number === number ? sample : undefined;
}

function present(
  row: SampleRow,
  rows: readonly DrawnRow[],
  controlled: readonly ControlledSku[],
): ControlSample {
  const wrong = new Set(controlled.filter(({ moved }) => !moved).map(({ areaId }) => areaId));
  const drawn = rows.map((area) => presentDrawn(area, area.codesDiffer || wrong.has(area.areaId)));
  const counted = drawn.filter(({ differs }) => differs !== null);
  const differing = drawn.filter(({ differs }) => differs === true);
  const state = stateOf(row, rows);
  const { number, seed, reason, areas, units, notClosed, countedTwice } = row;
  return {
    ...{ number, seed, reason, areas, units, notClosed, countedTwice, drawn, ...state },
    drawnAt: row.drawnAt.toISOString(),
    drawnBy: named(row.drawnBy),
    commitment: presentCommitment(row),
    drawnUnits: unitsIn(drawn),
    counted: counted.length,
    differing: differing.length,
    differingUnits: unitsIn(differing),
    atMost:
      state.status === "finished"
        ? boundOf(row, { drawn: drawn.length, differing: differing.length, units: unitsIn(differing) })
        : null,
    excluded: controlled.filter(({ moved }) => moved).map(presentExcluded),
  };
}

interface Shown {
  readonly drawn: number;
  readonly differing: number;
  /** In the areas that differ. */
  readonly units: number;
}

/**
 * The units of an area are drawn together, so that a bound over single units would claim too much. That of the areas holds for
 * units too: besides what was seen to differ, no more than those areas can, and at worst they are the ones with the most units.
 */
function boundOf({ areas, otherUnits }: SampleRow, { drawn, differing, units }: Shown) {
  const most = atMostDiffering({ areas, drawn, differing });
  const others = otherUnits.slice(0, most - differing).reduce((sum, each) => sum + each, 0);
  return { areas: most, units: units + others };
}

function presentExcluded({ sku, productTitle, size, areaCode }: ControlledSku) {
  return { sku, productTitle, size, areaCode };
}

function named(username: string | null): { username: string } | null {
  return username === null ? null : { username };
}

function unitsIn(areas: readonly DrawnArea[]): number {
  return areas.reduce((sum, { units }) => sum + units, 0);
}

function presentDrawn(row: DrawnRow, isWrong: boolean): DrawnArea {
  const isCounted = row.endedAs === "closed";
  return { ...presentSampled(row), state: stateOfArea(row), differs: isCounted ? isWrong : null };
}

function stateOfArea({ endedAs, isStarted }: DrawnRow): DrawnArea["state"] {
  if (endedAs === null) return isStarted ? "counting" : "waiting";
  return endedAs === "closed" ? "counted" : "ended";
}

type State = Pick<ControlSample, "status" | "voidedAt" | "voidedBy" | "voidReason">;

const nothingVoid = { voidedAt: null, voidedBy: null, voidReason: null };

/** A sample is void as a whole once one of its control counts is over without a result: what is left of it is no sample. */
function stateOf({ voidedAt, voidedBy, voidReason }: SampleRow, drawn: readonly DrawnRow[]): State {
  if (voidedAt !== null) {
    return { status: "void", voidedAt: voidedAt.toISOString(), voidedBy: named(voidedBy), voidReason };
  }
  const lost = drawn.find((area) => stateOfArea(area) === "ended");
  if (lost !== undefined) return { ...nothingVoid, status: "void", voidReason: reasonOf(lost) };
  const isFinished = drawn.every((area) => stateOfArea(area) === "counted" && !area.isThirdOpen);
  return { ...nothingVoid, status: isFinished ? "finished" : "counting" };
}

function reasonOf({ endedAs, code, name }: DrawnRow): string {
  if (endedAs === "session_ended")
    return "The session ended before every area that was drawn was counted again.";
  return `Area ${code} – ${name} was counted again before its control count was over.`;
}
