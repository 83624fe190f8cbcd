import { copyText } from "../../database/copy-into.ts";
import { PackedTexts } from "../../kernel/packed-texts.ts";
import type { VariantRecord } from "../../shopify/shopify.ts";
import { type ItemName, tellApart } from "./stock-items.ts";

/** What a reading says of an item's stock; a later answer takes the place of it. */
export type StockLevel = Pick<
  VariantRecord,
  "tracked" | "stocked" | "onHand" | "available" | "levelUpdatedAt"
>;

/** The columns of a line of `ReadItems.lines`, as the tables name them; `stock` names those of the level at the location. */
export function lineColumns(stock: {
  readonly onHand: string;
  readonly available: string;
  readonly levelUpdatedAt: string;
}): string {
  const { onHand, available, levelUpdatedAt } = stock;
  return `sku, plain_sku, inventory_item_id, variant_number, barcode, product_title, vendor, product_type, size, image, bundle,
    unit_cost_cents, tracked, stocked, ${onHand}, ${available}, ${levelUpdatedAt}`;
}

/** What of a line neither its name nor a later level changes; it begins with the variant number, which is digits alone. */
function constantPart(record: VariantRecord): string {
  return copyText([
    record.variantNumber,
    record.barcode,
    record.productTitle,
    record.vendor,
    record.productType,
    record.size,
    record.image,
    record.requiresComponents,
    record.unitCostCents,
  ]);
}

function levelPart({ tracked, stocked, onHand, available, levelUpdatedAt }: StockLevel): string {
  return copyText([tracked, stocked, onHand, available, levelUpdatedAt]);
}

const levelColumns = 5;

/** Another level in the place of a line's last columns. Within a column COPY has no tab. */
function withLevel(line: string, level: StockLevel): string {
  return [...line.split("\t").slice(0, -levelColumns), levelPart(level)].join("\t");
}

/** The records of a reading, each of them under the number of its row; one that came again has a later row. */
class Packed {
  /** By inventory item, in the order in which they were first read. */
  readonly rows = new Map<string, number>();
  /** Short, and each looked at several times. */
  private readonly labels: string[] = [];
  /** The lines from the variant number on. */
  private readonly rests = new PackedTexts();
  readonly ofUnknownCost = new Set<number>();
  latestChange: number | null = null;

  add(record: VariantRecord): void {
    const row = this.rests.add(`${constantPart(record)}\t${levelPart(record)}`);
    this.labels.push(record.sku);
    this.rows.set(record.inventoryItemId, row);
    if (record.unitCostCents === null && record.currency !== null) this.ofUnknownCost.add(row);
    const changedAt = record.levelUpdatedAt === null ? Number.NaN : Date.parse(record.levelUpdatedAt);
    if (changedAt > (this.latestChange ?? 0)) this.latestChange = changedAt;
  }

  labelOf(row: number): string {
    const label = this.labels[row];
    if (label === undefined) throw new RangeError(`There is no row ${row}.`);
    return label;
  }

  variantNumberOf(row: number): string {
    const rest = this.rests.at(row);
    return rest.slice(0, rest.indexOf("\t"));
  }

  restOf(row: number): string {
    return this.rests.at(row);
  }
}

/**
 * The shop's variants while they are read. They are kept as the texts that are copied into the database: as objects, a hundred thousand of
 * them are twice as much, all of it in the heap.
 */
export class ItemsBeingRead {
  private readonly packed = new Packed();

  /** Of two records of one inventory item the later one counts. */
  add(record: VariantRecord): void {
    this.packed.add(record);
  }

  get count(): number {
    return this.packed.rows.size;
  }

  /** Only for a reading that has ended without an error, after which nothing is added: SKUs are told apart over all of the shop. */
  async whole(): Promise<ReadItems> {
    const { packed } = this;
    const names = await tellApart({
      rows: [...packed.rows.values()],
      labelOf: (row) => packed.labelOf(row),
      variantNumberOf: (row) => packed.variantNumberOf(row),
    });
    return new ReadItems(packed, names, new Map());
  }
}

/** The variants of the shop under their distinct SKUs, with their stock at the location that was read. */
export class ReadItems {
  private readonly packed: Packed;
  /** Where it is not the label. */
  private readonly names: ReadonlyMap<number, ItemName>;
  private readonly newer: ReadonlyMap<string, StockLevel>;

  constructor(packed: Packed, names: ReadonlyMap<number, ItemName>, newer: ReadonlyMap<string, StockLevel>) {
    this.packed = packed;
    this.names = names;
    this.newer = newer;
  }

  get count(): number {
    return this.packed.rows.size;
  }

  has(inventoryItemId: string): boolean {
    return this.packed.rows.has(inventoryItemId);
  }

  /** When the level that changed last did so, by Shopify's clock (ms since the epoch); null where nothing is stocked. */
  get latestChange(): number | null {
    return this.packed.latestChange;
  }

  /** The same with what was read later of some inventory items; ids that the shop does not have are passed over. */
  withLevels(newer: ReadonlyMap<string, StockLevel>): ReadItems {
    return new ReadItems(this.packed, this.names, newer);
  }

  /** Those whose cost is entered and can't be worked with. */
  skusOfUnknownCost(): string[] {
    const { rows, ofUnknownCost } = this.packed;
    return [...rows.values()].filter((row) => ofUnknownCost.has(row)).map((row) => this.nameOf(row).sku);
  }

  /** A text for COPY of each variant, with the columns of `lineColumns`. */
  *lines(): Generator<string> {
    for (const [id, row] of this.packed.rows) {
      const { sku, plainSku } = this.nameOf(row);
      const newer = this.newer.get(id);
      const rest = this.packed.restOf(row);
      yield `${copyText([sku, plainSku, id])}\t${newer === undefined ? rest : withLevel(rest, newer)}`;
    }
  }

  private nameOf(row: number): ItemName {
    return this.names.get(row) ?? { sku: this.packed.labelOf(row), plainSku: null };
  }
}
