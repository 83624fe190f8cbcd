import { type Selectable, sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import type { AdjustmentChunksTable, AdjustmentRowsTable } from "../database/tables.ts";
import { type Chunk, nextChunkNumber } from "./chunk-queries.ts";
import type { RowFate } from "./judge-answer.ts";
import { type Regrouping, regroup } from "./regroup.ts";
import type { StockMove } from "./stock-move.ts";

/** What becomes of a row, as it is written down. */
interface WrittenFate {
  readonly sku: string;
  readonly state: Selectable<AdjustmentRowsTable>["state"];
  readonly chunk: number;
  readonly doubtful: boolean;
  readonly unmovable: AdjustmentRowsTable["unmovable"];
  readonly note: string | null;
}

/**
 * Settles a chunk: its rows, what they book in the ledger and the chunk itself change together. Rows that were not
 * applied wait again, with the same chunk or with smaller ones.
 */
export async function recordFates(
  transaction: Transaction,
  move: StockMove,
  chunk: Chunk,
  fates: ReadonlyMap<string, RowFate>,
  groupId: string | null,
): Promise<void> {
  const returning = [...fates].flatMap(([sku, fate]) =>
    fate.state === "waiting" ? [{ sku, stale: fate.stale }] : [],
  );
  const regrouping = regroup(chunk.attempt, returning);
  const numbers = await numberParts(transaction, move, regrouping);
  const written = [...fates].map(([sku, fate]) => ({
    ...writtenFate(sku, fate, regrouping.kind === "given-up"),
    chunk: numbers.get(sku) ?? chunk.chunk,
  }));
  await writeFates(transaction, move, written);
  await book(transaction, move, chunk, written);
  await transaction
    .updateTable("adjustment_chunks")
    .set({ state: chunkState(written), group_id: groupId, finished_at: sql<Date>`now()` })
    .where("id", "=", chunk.id)
    .execute();
}

/** The new chunk number of every SKU that goes on apart from its chunk. */
async function numberParts(
  transaction: Transaction,
  { session }: StockMove,
  regrouping: Regrouping,
): Promise<Map<string, number>> {
  if (regrouping.kind !== "apart") return new Map();
  const first = await nextChunkNumber(transaction, session.id);
  return new Map(
    regrouping.parts.flatMap((skus, index) => skus.map((sku): [string, number] => [sku, first + index])),
  );
}

function writtenFate(sku: string, fate: RowFate, givenUp: boolean): Omit<WrittenFate, "chunk"> {
  const row = { sku, state: fate.state, doubtful: false, unmovable: null, note: null };
  switch (fate.state) {
    case "confirmed":
      return row;
    case "unclear":
      return { ...row, note: fate.note };
    case "not_moved":
      return { ...row, note: fate.note, unmovable: fate.unmovable };
    case "waiting": {
      const note = "Its stock changed each time it was about to be adjusted.";
      const { doubtful } = fate;
      if (!givenUp) return { ...row, doubtful };
      return { ...row, doubtful, state: doubtful ? "unclear" : "not_moved", note };
    }
  }
}

async function writeFates(
  transaction: Transaction,
  { adjustmentId, direction }: StockMove,
  written: readonly WrittenFate[],
): Promise<void> {
  await sql`
    update adjustment_rows moved set state = fate.state, chunk = fate.chunk, note = fate.note,
      unmovable = fate.unmovable, doubtful = moved.doubtful or fate.doubtful
    from jsonb_to_recordset(${JSON.stringify(written)}::jsonb)
      as fate(sku text, state text, chunk integer, note text, unmovable text, doubtful boolean)
    where moved.adjustment_id = ${adjustmentId} and moved.direction = ${direction} and moved.sku = fate.sku`.execute(
    transaction,
  );
}

/** Books the confirmed rows. The ledger's unique key refuses a second booking of a row, whatever happened before. */
async function book(
  transaction: Transaction,
  { adjustmentId, direction, session }: StockMove,
  chunk: Chunk,
  written: readonly WrittenFate[],
): Promise<void> {
  const confirmed = new Set(written.filter(({ state }) => state === "confirmed").map(({ sku }) => sku));
  if (confirmed.size === 0) return;
  const entries = chunk.changes.filter(({ sku }) => confirmed.has(sku));
  await transaction
    .insertInto("stock_ledger")
    .values(
      entries.map(({ sku, inventoryItemId, delta }) => ({
        session_id: session.id,
        adjustment_id: adjustmentId,
        chunk_id: chunk.id,
        direction,
        sku,
        inventory_item_id: inventoryItemId,
        delta,
      })),
    )
    .execute();
}

function chunkState(written: readonly WrittenFate[]): Selectable<AdjustmentChunksTable>["state"] {
  const has = (state: WrittenFate["state"]) => written.some((row) => row.state === state);
  if (has("unclear")) return "unclear";
  if (has("waiting")) return "replaced";
  return has("confirmed") ? "confirmed" : "refused";
}

/** Rows that Shopify can't move any more, found before they were sent. */
export async function recordUnmovable(
  transaction: Transaction,
  move: StockMove,
  rows: readonly {
    readonly sku: string;
    readonly chunk: number;
    readonly unmovable: NonNullable<AdjustmentRowsTable["unmovable"]>;
  }[],
): Promise<void> {
  if (rows.length === 0) return;
  const written = rows.map((row) => ({
    ...row,
    state: "not_moved" as const,
    doubtful: false,
    note: unmovableNotes[row.unmovable],
  }));
  await writeFates(transaction, move, written);
}

const unmovableNotes: Record<NonNullable<AdjustmentRowsTable["unmovable"]>, string> = {
  DELETED: "It no longer exists in Shopify.",
  UNTRACKED: "Shopify no longer tracks its stock.",
  NOT_STOCKED: "Shopify no longer stocks it at this location.",
  BUNDLE: "It is now a bundle in Shopify, so its stock depends on its components.",
};
