import fc from "fast-check";
import { expect, test } from "vitest";
import type { ReportContext } from "./counting-time.ts";
import { presentRow } from "./report-rules.ts";
import { endedAt, makeContext, makeRow, startedAt } from "./testing/report-row.ts";

const moment = fc.date({ min: startedAt, max: endedAt, noInvalidDate: true });

const context = fc.record<Pick<ReportContext, "basis" | "clockWasSet" | "countedDuring">>({
  basis: fc.constantFrom("end", "count"),
  clockWasSet: fc.boolean(),
  countedDuring: fc.option(
    fc.tuple(moment, moment).map((times) => {
      const [first = startedAt.getTime(), last = first] = times
        .map((time) => time.getTime())
        .toSorted((one, other) => one - other);
      return { first, last };
    }),
    { nil: null },
  ),
});

test("a row whose stock lay still says what it says with a reading of the same stock at any moment", () => {
  fc.assert(
    fc.property(
      fc.record({ onHand: fc.integer({ min: -5, max: 20 }), counted: fc.nat(20), manual: fc.boolean() }),
      fc.tuple(moment, moment, moment),
      fc.nat(2),
      context,
      ({ onHand, counted, manual }, [one, other, readAt], unknownTimes, change) => {
        const [firstCountedAt = one, lastCountedAt = other] = [one, other].toSorted(
          (left, right) => left.getTime() - right.getTime(),
        );
        const row = makeRow({
          ...{ startOnHand: onHand, endOnHand: onHand, counted, manual },
          ...{ firstCountedAt, lastCountedAt, unknownTimes },
        });
        const read = makeRow({ ...row, readings: [{ at: readAt.getTime(), onHand }] });
        expect(presentRow(row, makeContext(change))).toEqual(presentRow(read, makeContext(change)));
      },
    ),
  );
});
