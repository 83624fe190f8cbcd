import { expect, it } from "vitest";
import { reportItem } from "../../../testing/examples.ts";
import {
  byMoneyAtStake,
  orderBy,
  orderText,
  type RowOrder,
  readOrder,
  rowColumns,
  sortRows,
} from "./row-order.ts";

const items = [
  reportItem({ sku: "B10", variance: 2, costImpact: 20, startOnHand: 3, areas: ["Window"] }),
  reportItem({ sku: "B9", variance: -5, costImpact: -90, startOnHand: 7, areas: ["Back"] }),
  reportItem({ sku: "A1", variance: -5, costImpact: null, startOnHand: 7, areas: [] }),
];

function skus(order: RowOrder): string[] {
  return sortRows(items, order).map(({ sku }) => sku);
}

it("the money at stake comes first by itself, up or down; what has no known cost comes last, whichever way round", () => {
  expect(skus(byMoneyAtStake)).toEqual(["B9", "B10", "A1"]);
  expect(skus({ column: "stake", descending: false })).toEqual(["B10", "B9", "A1"]);
  expect(skus(orderBy("cost"))).toEqual(["B10", "B9", "A1"]);
});

it("numbers begin with the largest and texts with A as people order them; equal rows keep their order", () => {
  expect(skus(orderBy("variance"))).toEqual(["B10", "B9", "A1"]);
  expect(skus(orderBy("start"))).toEqual(["B9", "A1", "B10"]);
  expect(skus(orderBy("sku"))).toEqual(["A1", "B9", "B10"]);
  expect(skus(orderBy("areas"))).toEqual(["A1", "B9", "B10"]);
  expect(skus(orderBy("product"))).toEqual(["B10", "B9", "A1"]);
  expect(skus({ column: "product", descending: true })).toEqual(["A1", "B9", "B10"]);
});

it("every order is read from an address as it was written; what is none is not read", () => {
  for (const column of rowColumns) {
    for (const descending of [true, false]) {
      expect(readOrder(orderText({ column, descending }))).toEqual({ column, descending });
    }
  }
  expect(readOrder("colour")).toBeNull();
  expect(readOrder(null)).toBeNull();
});
