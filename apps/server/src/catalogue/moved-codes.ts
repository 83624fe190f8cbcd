import { barcodeKeyOf, groupBy, scannedCode } from "@stocktake/contract";
import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import { withoutLeadingZeros } from "../kernel/formats.ts";

/** An item as the session counts it and as the shop has it at the end, by the texts of its codes. */
interface CodedItem {
  readonly sku: string;
  readonly barcode: string | null;
  readonly label: string;
  readonly endBarcode: string | null;
  readonly endLabel: string | null;
  readonly endOnHand: number;
  /** It came into the shop while the session counted. */
  readonly isNew: boolean;
}

/** From one item to the other: what was scanned by a code of the first lies under the second in Shopify. */
interface MovedCode {
  readonly sku: string;
  readonly toSku: string;
}

/** What so many share is a word such as "none", or of a whole product: nobody can tell which of them is meant by it. */
const sharedAtMost = 10;

/**
 * Keeps which codes belong at the end to another item than the one that the session counted by them: as where duplicates were merged in the
 * shop, or two barcodes that were swapped were put right. The stock was moved with the code, and what was counted is of both. The caller
 * has loaded the end reading (`loadIncoming`) and written its stock.
 * @param recoded the SKUs of the session's items that have not the same codes as before; new and gone ones too (`writeEndStock`)
 */
export async function keepMovedCodes(
  transaction: Transaction,
  sessionId: string,
  recoded: readonly string[],
): Promise<void> {
  if (recoded.length === 0) return;
  const changed = await readRecoded(transaction, sessionId, recoded);
  const others = await readUnchanged(transaction, sessionId, changed);
  const moved = movedAmong([...changed, ...others]);
  if (moved.length === 0) return;
  await sql`
    insert into moved_codes (session_id, sku, to_sku)
    select distinct ${sessionId}::uuid, moved.sku, moved.to_sku
    from unnest(${moved.map(({ sku }) => sku)}::text[], ${moved.map(({ toSku }) => toSku)}::text[]) moved (sku, to_sku)`.execute(
    transaction,
  );
}

const label = sql`coalesce(item.plain_sku, item.sku)`;

async function readRecoded(
  transaction: Transaction,
  sessionId: string,
  skus: readonly string[],
): Promise<readonly CodedItem[]> {
  const { rows } = await sql<CodedItem>`
    select item.sku, item.barcode, ${label} as label, incoming.barcode as end_barcode,
      coalesce(incoming.plain_sku, incoming.sku) as end_label, item.end_on_hand, item.start_available is null as is_new
    from session_items item
    left join incoming_items incoming on incoming.inventory_item_id = item.inventory_item_id
    where item.session_id = ${sessionId}::uuid and item.sku = any(${skus}::text[])`.execute(transaction);
  return rows;
}

/** The items of the session that have kept their codes, as far as the others have or had one of these. */
async function readUnchanged(
  transaction: Transaction,
  sessionId: string,
  changed: readonly CodedItem[],
): Promise<readonly CodedItem[]> {
  const codes = changed.flatMap(({ barcode, endBarcode, label, endLabel }) => [
    barcode,
    endBarcode,
    label,
    endLabel,
  ]);
  // The forms of a GTIN differ in zeros at their beginning alone. Other codes that do are told apart by their keys. `= any` is looked
  // up in a table of its own, whatever the planner expects.
  const wanted = [...new Set(codes.map((code) => withoutLeadingZeros((code ?? "").trim())))].filter(
    (code) => code !== "",
  );
  const { rows } = await sql<CodedItem>`
    select item.sku, item.barcode, ${label} as label, item.barcode as end_barcode, ${label} as end_label,
      item.end_on_hand, item.start_available is null as is_new
    from session_items item
    where item.session_id = ${sessionId}::uuid and (ltrim(item.barcode, '0') = any(${wanted}::text[])
      or ltrim(${label}, '0') = any(${wanted}::text[]))`.execute(transaction);
  const known = new Set(changed.map(({ sku }) => sku));
  return rows.filter(({ sku }) => !known.has(sku));
}

/** The codes by which an item is scanned. What is a barcode of one may be the SKU of another: the same scan means either. */
function codesOf(barcode: string | null, sku: string | null): readonly string[] {
  return [barcode, sku].flatMap((code) => barcodeKeyOf({ sku: "", barcode: scannedCode(code ?? "") }) ?? []);
}

interface Holder {
  readonly item: CodedItem;
  readonly code: string;
  readonly had: boolean;
  readonly has: boolean;
}

function holdersOf(item: CodedItem): Holder[] {
  const before = new Set(codesOf(item.barcode, item.label));
  const after = new Set(codesOf(item.endBarcode, item.endLabel));
  return [...new Set([...before, ...after])].map((code) => {
    return { item, code, had: before.has(code), has: after.has(code) };
  });
}

export function movedAmong(items: readonly CodedItem[]): MovedCode[] {
  const byCode = groupBy(items.flatMap(holdersOf), ({ code }) => code);
  return [...byCode.values()].flatMap((holders) => (holders.length > sharedAtMost ? [] : movedOf(holders)));
}

/** Of the holders of one code. */
function movedOf(holders: readonly Holder[]): MovedCode[] {
  const fromStart = holders.filter(({ had, item }) => had && !item.isNew);
  return holders.flatMap((from) =>
    holders
      .filter((to) => from !== to && from.had && to.has)
      .filter((to) => !from.has || isSharedSince(from, to, fromStart))
      .map((to) => ({ sku: from.item.sku, toSku: to.item.sku })),
  );
}

/**
 * One that had the code alone, and still has it, shares it with one that got it and has stock by now. What several had at the start is chosen
 * by whoever scans it, and a copy of a product without stock has nothing that was counted elsewhere.
 */
function isSharedSince(from: Holder, to: Holder, fromStart: readonly Holder[]): boolean {
  const isAlone = fromStart.length === 1 && fromStart[0] === from;
  return isAlone && (to.item.isNew || !to.had) && to.item.endOnHand !== 0;
}
