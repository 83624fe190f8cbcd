import { expect, it } from "vitest";
import { besideText } from "./walk-text.ts";

const near = { _id: "1", productTitle: "Hat", size: null, scannedAt: "2026-03-01T09:00:00.000Z" };
const hat = { ...near, input: "400", sku: "HAT-1" };
const shirt = { ...near, input: "LIN-M", productTitle: "Linen Shirt", size: "M", sku: "LIN-M" };
const unknown = { ...near, input: "999", productTitle: null, sku: null };
const scan = { sku: "LIN-M", input: "LIN-M" };

it("a scan's place in the walk has words for its ends and for the same thing once more", () => {
  expect(besideText({ ...scan, before: hat, after: unknown })).toBe("Scanned after Hat · HAT-1; before 999");
  expect(besideText({ ...scan, before: null, after: hat })).toBe(
    "The first scan of its device, before Hat · HAT-1",
  );
  expect(besideText({ ...scan, before: shirt, after: null })).toBe(
    "The last scan of its device, after another of the same",
  );
  expect(besideText({ ...scan, before: shirt, after: shirt })).toBe("Scanned between others of the same");
  expect(besideText({ ...scan, before: hat, after: shirt })).toBe(
    "Scanned after Hat · HAT-1; before another of the same",
  );
  expect(besideText({ ...scan, before: null, after: null })).toBe("The only scan of its device");
});

it("codes that no product has are the same where they read the same", () => {
  const strange = { sku: null, input: "999" };
  expect(besideText({ ...strange, before: unknown, after: { ...unknown, input: "998" } })).toBe(
    "Scanned after another of the same; before 998",
  );
});
