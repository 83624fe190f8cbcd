import { expect, test } from "vitest";
import { inSlices } from "./slices.ts";

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
