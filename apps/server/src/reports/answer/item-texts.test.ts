import { expect, test } from "vitest";
import { presentRow } from "../report-rules.ts";
import { makeContext, makeRow } from "../testing/report-row.ts";
import { ItemTexts } from "./item-texts.ts";

const itemOf = (sku: string, productTitle: string) =>
  presentRow(makeRow({ sku, productTitle }), makeContext());

async function sent(texts: ItemTexts): Promise<unknown> {
  return JSON.parse(`[${Buffer.concat([...(await texts.pieces())]).toString()}]`);
}

test("of no rows there is no text", async () => {
  expect([...(await new ItemTexts().pieces())]).toEqual([]);
});

test("has every row as it was added, in the report's order, over all its pieces", async () => {
  const texts = new ItemTexts();
  const skus = Array.from({ length: 3_000 }, (_none, index) => `S-${index}`);
  // Units of one to four bytes each, and more rows than are packed at once.
  const titleOf = (index: number) => ["Tee", "Schürze", "靴", "🧢 \ud800"][index % 4]?.repeat(60) ?? "";
  const items = skus.map((sku, index) => itemOf(sku, titleOf(index)));
  for (const item of items.toReversed()) texts.add(item);
  const inOrder = [0, 1, 2, 3].map((kind) => items.filter((_item, index) => index % 4 === kind));
  const byTitle = inOrder.toSorted(([one], [other]) =>
    new Intl.Collator("en", { numeric: true }).compare(one?.productTitle ?? "", other?.productTitle ?? ""),
  );
  expect(await sent(texts)).toEqual(byTitle.flat());
});

test("keeps a row of two megabytes", async () => {
  const texts = new ItemTexts();
  const [short, long] = [itemOf("A", "Tee"), itemOf("B", "é".repeat(1_000_000))];
  texts.add(long);
  texts.add(short);
  expect(await sent(texts)).toEqual([long, short]);
});
