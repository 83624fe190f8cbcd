import { expect, it } from "vitest";
import { messages } from "./messages.ts";
import { mismatchTexts } from "./mismatch.ts";

const few = 1_234;
const many = 5_678;

it.each([
  messages.keptForAdmin(few),
  messages.unknownAside(few),
  messages.unknownIncluded(few, many, true),
  messages.unknownYes(few),
  messages.unknownNo(few),
  messages.acceptedHere(few),
  messages.acceptedAmong(few),
  messages.itemsNow(few),
  messages.acceptedNow(few),
  mismatchTexts.dashboard({ declared: few, counted: many, isTogether: true }),
  mismatchTexts.banner({ declared: few, counted: many, isTogether: false }),
  messages.restoredText(few),
])("a number above 999 has a thousands separator: %s", (text) => {
  expect(text).toContain("1,234");
  expect(text).not.toMatch(/\d{4}/);
});
