import { describe, expect, test } from "vitest";
import type { Direction } from "../queries.ts";
import {
  addBareAdjustment,
  addBareRows,
  type BareRow,
  bareSessionInFile,
} from "../testing/bare-adjustment.ts";
import { conclude } from "./conclude.ts";

const bare = bareSessionInFile();

function storedOf(id: string) {
  return bare.database
    .selectFrom("adjustments")
    .select(["status", "note", "totalAdjustments", "rolledBackAt"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

/** What comes of rows, beside another adjustment and another direction that went otherwise. */
async function concluded(direction: Direction, rows: readonly BareRow[]) {
  const strange: BareRow[] = [
    { state: "unclear", byReading: true, activation: "done" },
    { state: "not_moved", note: "A strange note" },
    { state: "not_moved", note: "A strange note", unmovable: "DELETED" },
  ];
  const strangeId = await addBareAdjustment(bare.database, bare.sessionId, direction, strange);
  const id = await addBareAdjustment(bare.database, bare.sessionId, direction, rows);
  await addBareRows(bare.database, id, direction === "deploy" ? "rollback" : "deploy", strange);
  const said = await bare.database
    .transaction()
    .execute((transaction) => conclude(transaction, id, direction));
  const { rolledBackAt, ...stored } = await storedOf(id);
  const untouched = { status: "failed", note: "before", totalAdjustments: 77, rolledBackAt: null };
  expect(await storedOf(strangeId)).toEqual(untouched);
  return { ...said, ...stored, isRolledBack: rolledBackAt !== null };
}

const yes: BareRow = { state: "confirmed" };
const read: BareRow = { state: "confirmed", byReading: true };
const unclear: BareRow = { state: "unclear", byReading: true };
const no: BareRow = { state: "not_moved", note: "because" };
const gone: BareRow = { state: "not_moved", note: "gone", unmovable: "DELETED" };
const left: BareRow = { state: "not_moved", note: "left", settledAt: new Date() };

const lookUp = (skus: string) => `${skus} must be looked up in Shopify and settled here.`;
const byReading = (skus: string) => `${skus} confirmed by reading Shopify's stock, as its answer was lost.`;

describe("a deploy", () => {
  test.each<[string, readonly BareRow[], string, string | null, number, boolean, string | null]>([
    ["applied as a whole", [yes, yes], "applied", null, 2, false, null],
    ["of nothing", [], "failed", null, 77, false, null],
    ["none of it", [no, gone], "failed", "2 SKUs could not be moved.", 77, true, "because"],
    ["none of it by what it is", [gone], "failed", "1 SKU could not be moved.", 77, true, "gone"],
    ["some of it", [yes, no], "partial", "1 SKU could not be moved.", 1, false, "because"],
    ["all that can be", [yes, gone, left], "applied", "2 SKUs could not be moved.", 1, false, "gone"],
    ["unclear", [unclear], "partial", lookUp("1 SKU"), 1, false, null],
    ["unclear in part", [yes, unclear], "partial", lookUp("1 SKU"), 2, false, null],
    [
      "unclear and not moved, as many of each",
      [yes, unclear, no],
      "partial",
      `${lookUp("1 SKU")} 1 SKU could not be moved.`,
      2,
      false,
      "because",
    ],
    ["confirmed by reading", [yes, read, read], "applied", byReading("2 SKUs were"), 3, false, null],
    [
      "stocked for it",
      [{ ...yes, activation: "done" }, { ...yes, activation: "refused" }, read],
      "applied",
      `${byReading("1 SKU was")} 1 SKU was stocked at this location and stays active there, even after a rollback.`,
      3,
      false,
      null,
    ],
    [
      "stocked, and not moved after all",
      [
        { ...no, activation: "done" },
        { ...yes, activation: "done" },
      ],
      "partial",
      "1 SKU could not be moved. 2 SKUs were stocked at this location and stay active there, even after a rollback.",
      1,
      false,
      "because",
    ],
  ])("%s", async (_name, rows, status, note, totalAdjustments, failed, firstNote) => {
    expect(await concluded("deploy", rows)).toEqual({
      ...{ status, note, totalAdjustments, failed, firstNote, isRolledBack: false },
    });
  });
});

describe("a rollback", () => {
  const rest = ". Resume the rollback, or settle what is left.";

  test.each<[string, readonly BareRow[], boolean, string | null, boolean, string | null]>([
    ["as a whole", [yes, yes], true, null, false, null],
    ["of which some is left by a person", [yes, left], true, "1 SKU could not be moved back.", false, "left"],
    ["of which some is left open", [yes, gone], false, `1 SKU could not be moved back${rest}`, false, "gone"],
    ["of which some is unclear", [yes, unclear], false, lookUp("1 SKU"), false, null],
    [
      "of which some is unclear and as much left open",
      [unclear, no],
      false,
      `${lookUp("1 SKU")} 1 SKU could not be moved back${rest}`,
      false,
      "because",
    ],
    ["of which nothing went", [no], false, `1 SKU could not be moved back${rest}`, true, "because"],
    [
      "of which nothing can go, by what it is",
      [gone],
      false,
      `1 SKU could not be moved back${rest}`,
      false,
      "gone",
    ],
    ["of nothing", [], true, null, false, null],
  ])("%s", async (_name, rows, isWhole, note, failed, firstNote) => {
    expect(await concluded("rollback", rows)).toEqual({
      ...{ status: isWhole ? "applied" : "partial", isRolledBack: isWhole },
      ...{ note, totalAdjustments: 77, failed, firstNote },
    });
  });
});
