import { sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import { ApiError, invalidField } from "../../kernel/api-error.ts";
import { type Attempt, isOfCompared, type Pass } from "../../passes/passes.ts";

/** A count that can be asked for: of the whole area where `onlySkus` is null. */
export type NextRound = Pick<Attempt, "round" | "onlySkus">;

/** A second count that was made, and whether the third that it leads to is still to be made. */
interface Made {
  readonly onlySkus: readonly string[] | null;
  readonly owesThird: boolean;
  readonly isOpen: boolean;
}

/** The second counts of an area's pass that were made, those of a list first. The caller holds the area. */
export async function readMade(
  transaction: Transaction,
  { sessionId, areaId, pass }: Pass,
): Promise<readonly Made[]> {
  const ofArea = isOfCompared({ sessionId, areaId, ofPass: pass });
  const { rows } = await sql<Made>`
    select made.only_skus, settling.is_open, settling.is_open and not exists (
        select from second_counts third where ${ofArea} and third.round = 3 and third.ended_as = 'closed'
          and third.only_skus is not distinct from made.only_skus) as owes_third
    from (select only_skus, pass from second_counts where ${ofArea} and round = 2 and ended_as = 'closed') made
    cross join lateral (select exists (
      select from compared_counts compared where ${ofArea} and compared.settled_as is null
        and case when made.only_skus is not null then compared.sku = any(made.only_skus)
          else not exists (select from second_counts listed where ${ofArea} and listed.ended_as = 'closed'
            and compared.sku = any(listed.only_skus)) end) as is_open) settling
    order by made.only_skus is null, made.pass`.execute(transaction);
  return rows;
}

/** Whether a SKU was compared, or with whatever comes of a third count will be. */
export function isMade(made: readonly Made[], sku: string): boolean {
  return made.some(({ onlySkus }) => onlySkus === null || onlySkus.includes(sku));
}

/**
 * What is asked for by asking for an area: the third count that is owed, before anything else is counted a second time.
 * @throws ApiError SECOND_COUNT_MADE where there is nothing left to find out.
 */
export function nextOfArea(made: readonly Made[]): NextRound {
  const owed = made.find(({ owesThird }) => owesThird);
  if (owed !== undefined) return { round: 3, onlySkus: owed.onlySkus };
  const whole = made.find(({ onlySkus }) => onlySkus === null);
  if (whole === undefined) return { round: 2, onlySkus: null };
  throw new ApiError(
    "SECOND_COUNT_MADE",
    whole.isOpen
      ? "This area has been counted three times already. Choose the right figure where they differ."
      : "This area has been counted a second time already, and every figure is settled.",
  );
}

/** @throws ApiError SECOND_COUNT_MADE where one of the SKUs was counted a second time before. */
export function nextOfSkus(made: readonly Made[], skus: readonly string[]): NextRound {
  const before = skus.filter((sku) => isMade(made, sku));
  if (before.length === 0) return { round: 2, onlySkus: skus };
  throw new ApiError(
    "SECOND_COUNT_MADE",
    `In this area ${before[0] ?? ""} has been counted a second time already. Leave it out of the list.`,
  );
}

/** Each once, in their order. @throws ApiError VALIDATION for one that the session does not have. */
export async function requireSkus(
  transaction: Transaction,
  sessionId: string,
  skus: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ sku: string }>`
    select sku from session_items where session_id = ${sessionId} and sku = any(${skus}::text[])`.execute(
    transaction,
  );
  const known = new Set(rows.map(({ sku }) => sku));
  const unknown = skus.find((sku) => !known.has(sku));
  if (unknown !== undefined) throw invalidField("skus", `${unknown} is no SKU of this session.`);
  return [...known].toSorted();
}
