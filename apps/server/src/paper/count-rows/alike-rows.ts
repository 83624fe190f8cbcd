import type { Database } from "../../database/pool.ts";
import type { Caller } from "../../kernel/caller.ts";
import { withoutLeadingZeros } from "../../kernel/formats.ts";
import type { IncomingScan } from "../../scanning/scanning.ts";
import { readStoredMeanings } from "./place-queries.ts";

/** A new row as far as it may mean the same as another. */
interface MeantRow {
  readonly incoming: Pick<IncomingScan, "input" | "scannedById" | "scannedAtMs">;
  readonly areaId: string;
  readonly units: number;
  readonly copy: number;
}

interface Part<Row extends MeantRow> {
  readonly sessionId: string;
  /** Of all rows of the part, those that are here already too. */
  readonly opIds: readonly string[];
  readonly good: readonly Row[];
  readonly asOf: number | null;
}

interface Stored {
  readonly time: number | null;
  /** How many of them no row of the part has been taken for. */
  left: number;
}

/**
 * Which new rows mean the same as a row that a file has stored, though they are written otherwise: a spreadsheet that saves a file drops zeros
 * before a number and seconds of a time, and whoever names the locations of some areas may do so in all rows. Each stored row is like one new
 * row at most, and none that is in the part itself. An equal row of a file that has more of them than are stored is another count.
 */
export async function findAlike<Row extends MeantRow>(
  database: Database,
  caller: Caller,
  { sessionId, opIds, good, asOf }: Part<Row>,
): Promise<ReadonlySet<Row>> {
  if (good.length === 0) return new Set();
  const unique = (values: readonly string[]) => [...new Set(values)];
  const meanings = await readStoredMeanings(database, {
    ...{ sessionId, opIds, asOf, senderId: caller.userId },
    areaIds: unique(good.map(({ areaId }) => areaId)),
    people: unique(good.map(({ incoming }) => incoming.scannedById)),
    codes: unique(good.map(({ incoming }) => withoutLeadingZeros(incoming.input))),
  });
  const stored = new Map<string, { rows: number; readonly each: Stored[] }>();
  for (const { areaId, scannedBy, input, units, time, rows, named } of meanings) {
    const at = time?.getTime() ?? null;
    const key = meaningOf([areaId, scannedBy, input, units], at);
    const group = stored.get(key) ?? { rows: 0, each: [] };
    group.rows += rows;
    group.each.push({ time: at, left: rows - named });
    stored.set(key, group);
  }
  return new Set(
    good.filter(({ incoming, areaId, units, copy }) => {
      const { input, scannedById, scannedAtMs } = incoming;
      const group = stored.get(meaningOf([areaId, scannedById, input, units], scannedAtMs));
      if (group === undefined || copy > group.rows) return false;
      const like = group.each.find(({ time, left }) => left > 0 && isSameTime(time, scannedAtMs));
      if (like === undefined) return false;
      like.left -= 1;
      return true;
    }),
  );
}

/** GTINs of any length are the same but for zeros before them; so is a number that a spreadsheet has made of a code. */
const codeOf = (input: string) => (/^\d+$/.test(input) ? withoutLeadingZeros(input) : `text:${input}`);

type Meaning = readonly [areaId: string, personId: string, input: string, units: number];

function meaningOf([areaId, personId, input, units]: Meaning, time: number | null): string {
  return JSON.stringify([
    areaId,
    personId,
    codeOf(input),
    units,
    time === null ? null : Math.floor(time / minute),
  ]);
}

const minute = 60_000;

/** Of one minute. Two that both have seconds are two counts where these differ, as of a handheld that writes a row for each item. */
function isSameTime(one: number | null, other: number | null): boolean {
  return one === other || one === null || other === null || one % minute === 0 || other % minute === 0;
}
