import { isInVariances } from "@stocktake/contract";
import { expect, it } from "vitest";
import type { ReportRow } from "./rows/report-row-queries.ts";
import { reportItems } from "./testing/report-items.ts";
import { makeContext as context, endedAt, makeRow as row } from "./testing/report-row.ts";

it("has in the view of variances the rows that are told from the others by what is said of them", () => {
  const right = { counted: 7 };
  const changes: readonly Partial<ReportRow>[] = [
    ...[{}, right, { ...right, manual: true }, { ...right, countedLater: true }, { countedLater: true }],
    ...[{ ...right, startOnHand: 7 }, { ...right, tracked: false }, { tracked: false }, { stocked: false }],
    ...[{ stocked: false, startOnHand: 3, endOnHand: 0, hasCount: false, counted: 0 }],
    ...[
      { startOnHand: 0, endOnHand: 0, hasCount: false, counted: 0 },
      { hasCount: false, counted: 0 },
    ],
    { ...right, found: new Set(["COUNTED_AFTER_END"]) },
    { ...right, hasCount: false, leftAlone: { reason: "Lent", by: "admin", at: endedAt.toISOString() } },
    { booked: 2 },
    { ...right, booked: -3 },
  ];
  const item = row().inventoryItemId;
  const after = endedAt.getTime() + 60_000;
  const moves = [null, 0, 2].map((delta) => new Map([[item, [{ item, from: after, to: after, delta }]]]));
  const contexts = [new Map(), ...moves].flatMap((movedByOthers) =>
    (["end", "count"] as const).flatMap((basis) =>
      [true, false].flatMap((deployed) => [
        context({ movedByOthers, basis, deployed }),
        context({ movedByOthers, basis, deployed, everyAreaClosed: false }),
      ]),
    ),
  );
  for (const change of changes) {
    for (const each of contexts) {
      const all = [...reportItems([row(change)], each, "all")];
      const shown = [...reportItems([row(change)], each, "variances")];
      expect(all.filter((one) => isInVariances(one, each.basis))).toEqual(shown);
    }
  }
});
