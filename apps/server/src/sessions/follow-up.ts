import { firstCharacters, limits } from "@stocktake/contract";
import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import { ApiError, invalidField, notFound } from "../kernel/api-error.ts";
import { requireUnarchived } from "./archive-queries.ts";

/** What a start is told of a follow-up. */
interface FollowUp {
  readonly storeId: string;
  readonly input: {
    readonly scope: "partial";
    readonly name: string;
    readonly note: null;
    readonly followUpOf: string;
    readonly onlySkus: string[];
  };
}

/**
 * What a session of some SKUs of another is started with. @throws ApiError NOT_FOUND, SESSION_ACTIVE while that one counts, SESSION_ARCHIVED, VALIDATION for
 * a SKU that it does not have.
 */
export async function readFollowUp(
  transaction: Transaction,
  sessionId: string,
  skus: readonly string[],
): Promise<FollowUp> {
  const first = await transaction
    .selectFrom("sessions")
    .select(["storeId", "status", "name", "startedAt"])
    .where("id", "=", sessionId)
    // An archiving that is under way holds the row, and one that begins finds what this starts.
    .forShare()
    .executeTakeFirst();
  if (first === undefined) throw notFound("The session");
  if (first.status !== "closed") {
    throw new ApiError(
      "SESSION_ACTIVE",
      "This session is still counting. Have these products counted a second time in it instead.",
    );
  }
  await requireUnarchived(transaction, sessionId);
  const onlySkus = [...new Set(skus)].toSorted();
  await requireItems(transaction, sessionId, onlySkus);
  const of = first.name ?? first.startedAt.toISOString().slice(0, 10);
  const name = firstCharacters(`Follow-up of ${of}`, limits.name);
  const input = { scope: "partial", name, note: null, followUpOf: sessionId, onlySkus } as const;
  return { storeId: first.storeId, input };
}

async function requireItems(
  transaction: Transaction,
  sessionId: string,
  skus: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ sku: string }>`
    select sku from unnest(${skus}::text[]) sku
    where not exists (select from session_items item where item.session_id = ${sessionId} and item.sku = sku.sku)
    order by sku limit 1`.execute(transaction);
  const [unknown] = rows;
  if (unknown !== undefined) throw invalidField("skus", `${unknown.sku} is no SKU of this session.`);
}

interface Begun {
  readonly id: string;
  readonly followUpOf: string | null;
  readonly onlySkus: readonly string[] | null;
}

/**
 * Gives a follow-up, whose items are there, its SKUs as it has them: a product may have another SKU by now, or be gone. Returns what is to
 * be recorded of it; nothing of a session that is none. @throws ApiError NOT_FOUND where none is left.
 */
export async function nameAsNow(transaction: Transaction, { id, followUpOf, onlySkus }: Begun) {
  if (followUpOf === null || onlySkus === null) return {};
  const { rows } = await sql<{ sku: string }>`
    select item.sku from session_items counted
    join session_items item on item.session_id = ${id} and item.inventory_item_id = counted.inventory_item_id
    where counted.session_id = ${followUpOf} and counted.sku = any(${onlySkus}::text[])
    order by item.sku`.execute(transaction);
  const skus = rows.map(({ sku }) => sku);
  if (skus.length === 0) {
    throw new ApiError("NOT_FOUND", "None of these products is in the shop any more. Nothing was started.");
  }
  await transaction.updateTable("sessions").set({ onlySkus: skus }).where("id", "=", id).execute();
  return { followUpOf, onlySkus: skus };
}
