import { randomInt } from "node:crypto";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { holdInHistories } from "./coverage-property.ts";
import { CoverageScene } from "./coverage-scene.ts";

/** Long enough for a slice that runs beside other work at the lowest priority. */
const sliceWithinMs = 6 * 60 * 60 * 1000;

/** No database lives through more of them, so that the last ones take no longer than the first. */
const historiesPerSlice = 250;

/** What so many histories can't have missed, unless nothing of the kind is drawn any more. */
const always = [
  ...["certificates that held", "versions of the server's own"],
  ...["versions of partial counts", "versions of planned counts"],
  ...["sheets keyed", "third counts", "samples finished", "samples declared void"],
  ...["devices accounted for", "words of strangers", "SKUs beyond tolerance done without"],
];

/** Some of the proof's random histories, in slices that each have a seed and a database of their own. */
export function proveCoverage({ from, to }: { readonly from: number; readonly to: number }): void {
  for (let first = from; first <= to; first += historiesPerSlice) {
    const last = Math.min(to, first + historiesPerSlice - 1);
    describe(`histories ${first} to ${last}`, () => proveSlice(first, last));
  }
}

function proveSlice(first: number, last: number): void {
  const scene = new CoverageScene({ follows: false });

  test(
    "no certificate holds while anything is open",
    async () => {
      const seed = randomInt(2 ** 31);
      const name = `histories ${first} to ${last}, seed ${seed}`;
      process.stdout.write(`${name}\n`);
      const met = await holdInHistories(scene, { numRuns: last - first + 1, seed });
      const often = always.map((what) => `${met.get(what) ?? 0} ${what}`);
      process.stdout.write(`${name}: ${often.join(", ")}\n`);
      expect(always.filter((what) => !met.has(what))).toEqual([]);
    },
    sliceWithinMs,
  );
}
