import { expect, it } from "vitest";
import { reportItem } from "../../../testing/examples.ts";
import { signedMoneyFormat } from "../../../ui/figures/money-text.ts";
import { figureRoomOf, isLongSum, widthForTable } from "./figure-room.ts";

const lineOf = (costImpact: number, counted = 1) => ({
  kind: "item" as const,
  item: reportItem({ costImpact, counted }),
});

it("figures of an ordinary length have the room that the columns have anyway", () => {
  const room = figureRoomOf([lineOf(-12.5), lineOf(99)], signedMoneyFormat("USD"));
  expect(room.money).toBe("-$99.00".length);
  expect([widthForTable(room), isLongSum(room)]).toEqual([75, false]);
});

it("a long sum or a large count makes the table ask for a wider screen, whichever row has it and whatever its sign", () => {
  const money = signedMoneyFormat("IDR");
  const short = figureRoomOf([lineOf(1)], money);
  const long = figureRoomOf([lineOf(1), lineOf(-989_999_990_100)], money);
  expect(long.money).toBe(money(-989_999_990_100).length);
  expect(figureRoomOf([lineOf(989_999_990_100), lineOf(-1)], money)).toEqual(long);
  expect([isLongSum(long), widthForTable(long) > widthForTable(short)]).toEqual([true, true]);
  expect(widthForTable(figureRoomOf([lineOf(1, 1_000_000)], money))).toBeGreaterThan(widthForTable(short));
});
