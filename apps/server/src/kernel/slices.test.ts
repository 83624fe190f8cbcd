import fc from "fast-check";
import { expect, test } from "vitest";
import { inSlices, sortInSlices } from "./slices.ts";
import { turnsDuring } from "./testing-turns.ts";

test("a long list is worked on in its order, and what others wait for goes on between its slices", async () => {
  const worked: (number | string)[] = [];
  const doubled = inSlices([1, 2, 3, 4, 5], 2, (number) => {
    worked.push(number);
    return number * 2;
  });
  setImmediate(() => worked.push("others"));
  expect(await doubled).toEqual([2, 4, 6, 8, 10]);
  expect(worked.indexOf("others")).toBeLessThan(5);
});

test("of an empty list nothing comes", async () => {
  expect(await inSlices([], 2, String)).toEqual([]);
});

test("a list is sorted as at once, with those that compare as equal in the order that they had", async () => {
  const entry = fc.record({ rank: fc.nat(5), name: fc.string({ maxLength: 3 }) });
  const byRank = (left: { rank: number }, right: { rank: number }) => left.rank - right.rank;
  await fc.assert(
    fc.asyncProperty(fc.array(entry), fc.integer({ min: 1, max: 9 }), async (entries, atOnce) => {
      const sorted = await sortInSlices(entries, atOnce, byRank);
      expect(sorted).toEqual(entries.toSorted(byRank));
      for (const [index, each] of entries.toSorted(byRank).entries()) expect(sorted[index]).toBe(each);
    }),
  );
});

test("what others wait for goes on while a list is sorted, and while what is sorted is merged", async () => {
  const turns = await turnsDuring(() =>
    sortInSlices(["d", "b", "c", "a"], 1, (left, right) => (left < right ? -1 : 1)),
  );
  expect(turns).toBeGreaterThan(6);
});
