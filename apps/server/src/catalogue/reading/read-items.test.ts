import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { copyText } from "../../database/copy-into.ts";
import type { VariantRecord } from "../../shopify/shopify.ts";
import { ItemsBeingRead, type StockLevel } from "./read-items.ts";
import { itemsOf, variant } from "./testing.ts";

/** The rows of all records as objects: the last record of each inventory item, in the place of the first one. */
function rowsOf(records: readonly VariantRecord[], newer: ReadonlyMap<string, StockLevel>) {
  const whole = new Map(records.map((record) => [record.inventoryItemId, record]));
  const last = [...whole.values()];
  const isShared = (label: string) => last.filter(({ sku }) => sku === label).length > 1;
  const taken = new Set(last.map(({ sku }) => sku).filter((sku) => sku !== "" && !isShared(sku)));
  return last.map((record) => {
    const { sku: label, variantNumber } = record;
    const isOwn = label !== "" && !isShared(label);
    let sku = isOwn ? label : `${label}#${variantNumber}`;
    while (!isOwn && taken.has(sku)) sku = `${sku}#${variantNumber}`;
    taken.add(sku);
    return { ...record, ...newer.get(record.inventoryItemId), name: sku, plainSku: isOwn ? null : label };
  });
}

// Few labels, ids and numbers, so that they are shared and come again; whatever the database stores elsewhere.
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "\\N", "a\tb", "\\.", "Größe", "👕"),
);
const level = fc.record({
  tracked: fc.boolean(),
  stocked: fc.boolean(),
  onHand: fc.integer(),
  available: fc.integer(),
  levelUpdatedAt: fc.option(fc.constantFrom("2026-11-26T10:00:00Z", "2026-11-25T10:00:00+02:00")),
});
const id = fc
  .constantFrom("a", "b", "c", "d", "e", "f")
  .map((letter) => `gid://shopify/InventoryItem/${letter}`);
const record: fc.Arbitrary<VariantRecord> = fc
  .tuple(
    fc.record({
      inventoryItemId: id,
      variantNumber: fc.constantFrom("1", "2", "12"),
      sku: fc.constantFrom("", "A", "B", "A#1", "A#1#1", "\\"),
      barcode: fc.option(text),
      productTitle: text,
      vendor: text,
      productType: text,
      size: fc.option(text),
      image: fc.option(text),
      requiresComponents: fc.boolean(),
      unitCostCents: fc.option(fc.integer()),
      currency: fc.option(fc.constant("EUR")),
    }),
    level,
  )
  .map(([rest, stock]) => ({ ...variant("1", ""), ...rest, ...stock }));

describe("the items of a reading", () => {
  test("are copied as their records say, each once, with what was read later", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 12 }),
        fc.array(fc.tuple(fc.oneof(id, fc.constant("gone")), level), { maxLength: 4 }),
        async (records, later) => {
          const newer = new Map(later);
          const items = (await itemsOf(records)).withLevels(newer);
          const rows = rowsOf(records, newer);
          expect(items.count).toBe(rows.length);
          expect([...items.lines()]).toEqual(
            rows.map((row) =>
              copyText([
                ...[row.name, row.plainSku, row.inventoryItemId, row.variantNumber, row.barcode],
                ...[
                  row.productTitle,
                  row.vendor,
                  row.productType,
                  row.size,
                  row.image,
                  row.requiresComponents,
                ],
                ...[
                  row.unitCostCents,
                  row.tracked,
                  row.stocked,
                  row.onHand,
                  row.available,
                  row.levelUpdatedAt,
                ],
              ]),
            ),
          );
          expect(items.skusOfUnknownCost()).toEqual(
            rows
              .filter(({ unitCostCents, currency }) => unitCostCents === null && currency !== null)
              .map(({ name }) => name),
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  test("are counted while they are read, each once", () => {
    const items = new ItemsBeingRead();
    for (const number of ["1", "2", "1"]) items.add(variant(number, "A"));
    expect(items.count).toBe(2);
  });

  test("tell when the level that changed last did so", async () => {
    const changed = (number: string, levelUpdatedAt: string | null) => ({
      ...variant(number, "A"),
      levelUpdatedAt,
    });
    const latestOf = async (...records: VariantRecord[]) => (await itemsOf(records)).latestChange;
    expect(await latestOf()).toBeNull();
    expect(await latestOf(changed("1", null))).toBeNull();
    expect(
      await latestOf(
        changed("1", "2026-11-26T10:00:00Z"),
        changed("2", "2026-11-26T11:00:00+02:00"),
        changed("3", null),
      ),
    ).toBe(Date.parse("2026-11-26T10:00:00Z"));
  });
});
