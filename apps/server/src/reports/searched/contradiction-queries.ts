import { type RawBuilder, sql } from "kysely";
import { previousEnding, reasonsOfEndings } from "../../passes/passes.ts";

/*
 * What contradicts that a SKU is not there, beside what people say. A row is of a SKU, with when it was `looked_at` and `decided_at`, each as
 * `inOrder` has it.
 */

/** Whether the database's clock was set while the session counted: none of its times says then what was first. */
export const clockWasSet = (sessionId: string) =>
  sql<boolean>`(select clock_set_at is not null from sessions where id = ${sessionId})`;

/**
 * When somebody looked for a `sku`, or decided about it, to tell what was before and what after. Where the clock was set that is before all else,
 * or after it where somebody has decided once the session was over, which the audit log tells by the order of its entries.
 */
export function inOrder(
  sessionId: string,
  sku: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`case when ${at} is null or not ${clockWasSet(sessionId)} then ${at}
    when exists (
      select from audit_entries said
      where said.chain = ${sessionId} and said.action = 'search.decided' and said.subject_id = ${sku} and said.position > (
        select max(over.position) from audit_entries over where over.chain = ${sessionId} and over.action = 'session.ended'))
    then 'infinity' else '-infinity' end`;
}

/** The condition that Shopify's stock of a row's `sku` was not the same at every later reading as when it was `looked_at`. */
export function movedSince(sessionId: string, row: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${row}.looked_at is distinct from 'infinity' and exists (
    select from session_items item
    left join lateral (
      select on_hand from stock_readings reading
      where reading.session_id = ${sessionId} and reading.sku = item.sku and reading.read_at <= ${row}.looked_at
      order by reading.read_at desc limit 1) seen on true
    where item.session_id = ${sessionId} and item.sku = ${row}.sku and (
      item.end_on_hand <> coalesce(seen.on_hand, item.start_on_hand)
      or exists (select from stock_readings later
        where later.session_id = ${sessionId} and later.sku = item.sku and later.read_at > ${row}.looked_at
          and later.on_hand <> coalesce(seen.on_hand, item.start_on_hand)))))`;
}

/** The SKUs of which scans wait to be decided: late ones, and tags that were read in a second area. */
export const waiting = (sessionId: string) =>
  sql`select open.sku from scans open
    where open.session_id = ${sessionId} and open.status in ('late', 'unresolved') and open.sku is not null`;

/**
 * The condition that somebody scanned a row's `sku` in a second count that is compared with nothing in it, as one of a list that it is not on or
 * one that was cancelled, and that nobody has decided since. No decision about the scan can come, as about one that waits.
 */
export function scannedAgain(sessionId: string, row: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from scans seen
    join second_counts attempt on attempt.session_id = seen.session_id and attempt.area_id = seen.area_id and attempt.pass = seen.pass
    where seen.session_id = ${sessionId} and seen.sku = ${row}.sku and seen.status = 'compared'
      and (${row}.decided_at is null or seen.received_at > ${row}.decided_at)
      and not exists (select from compared_counts compared
        where compared.session_id = seen.session_id and compared.area_id = seen.area_id
          and compared.of_pass = attempt.of_pass and compared.sku = seen.sku))`;
}

/**
 * The condition that somebody scanned a row's `sku` after it was `looked_at`, in a count that was voided, as by a total that did not match, and
 * that nobody has closed the area with a further count since, which would have met it, as an earlier one that was restored would not. A scan that
 * was undone by hand is taken back by somebody.
 */
export function voidedSince(sessionId: string, row: RawBuilder<unknown>): RawBuilder<boolean> {
  const further = { sessionId: sql`pass.session_id`, areaId: sql`pass.area_id`, pass: sql`pass.pass` };
  return sql<boolean>`exists (
    select from scans seen
    where seen.session_id = ${sessionId} and seen.sku = ${row}.sku and seen.status = 'voided'
      and seen.voided_from in ('counted', 'unresolved') and seen.reason = any(${reasonsOfEndings}::text[])
      and seen.received_at > ${row}.looked_at
      and not exists (select from area_passes pass
        where pass.session_id = seen.session_id and pass.area_id = seen.area_id and pass.pass > seen.pass
          and pass.ended_as = 'closed' and ${previousEnding(further)} is distinct from 'replaced')
      and not exists (select from second_counts attempt
        where attempt.session_id = seen.session_id and attempt.area_id = seen.area_id and attempt.pass > seen.pass
          and attempt.ended_as = 'closed' and (attempt.only_skus is null or seen.sku = any(attempt.only_skus))))`;
}
