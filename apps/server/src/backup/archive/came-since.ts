import { limits } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import pg from "pg";
import type { Transaction } from "../../database/pool.ts";
import { isInQuestion } from "../../passes/passes.ts";
import type { ArchiveWork } from "./archive-work.ts";
import { type ArchivedTable, listed } from "./archived-tables.ts";
import { matchAnew } from "./match-anew.ts";

/** Rows of an archived session that came while it was archived, out of the way of those of the archive. */
export interface CameSince {
  readonly sessionId: string;
  readonly tables: readonly ArchivedTable[];
  readonly scans: number;
}

const nameAside = (name: string) => `${name}_since`;
const aside = (name: string) => pg.escapeIdentifier(nameAside(name));

/**
 * Sets aside what devices have sent of the session since: the scans, which wait for a decision. The caller holds the session, in a
 * transaction that ends what was set aside.
 */
export async function setLaterAside(
  client: pg.Client,
  tables: readonly ArchivedTable[],
  sessionId: string,
): Promise<CameSince> {
  const found: ArchivedTable[] = [];
  let scans = 0;
  for (const table of tables.toReversed()) {
    const name = pg.escapeIdentifier(table.name);
    const { rowCount } = await client.query(
      `CREATE TEMP TABLE ${aside(table.name)} ON COMMIT DROP AS
       SELECT ${listed(table.columns)} FROM ${name} WHERE session_id = ${pg.escapeLiteral(sessionId)}`,
    );
    if (rowCount === null || rowCount === 0) continue;
    await client.query(`DELETE FROM ${name} WHERE session_id = $1`, [sessionId]);
    found.unshift(table);
    if (table.name === "scans") scans = rowCount;
  }
  return { sessionId, tables: found, scans };
}

/**
 * Puts them back beside the rows of the archive. One that the archive holds already is what a device had sent before and sent again: the
 * archive's stays. Returns how many scans were such repeats.
 */
export async function putBackLater(work: ArchiveWork, since: CameSince): Promise<number> {
  const { client } = work;
  let repeats = 0;
  for (const table of since.tables) {
    if (table.name === "scans") {
      repeats = await dropRepeats(work, since.sessionId);
      await numberAnew(client, since.sessionId);
      await matchAnew(work, nameAside(table.name), since.sessionId);
    }
    const columns = listed(table.columns);
    // No scan is passed over in silence: one that still conflicts takes everything back.
    const conflict = table.name === "scans" ? "" : "ON CONFLICT DO NOTHING";
    await client.query(
      `INSERT INTO ${pg.escapeIdentifier(table.name)} (${columns}) OVERRIDING SYSTEM VALUE
       SELECT ${columns} FROM ${aside(table.name)} ${conflict}`,
    );
  }
  return repeats;
}

/** Conditions over `late`, which came since, and `scan`, which the archive holds. */
interface Repeats {
  readonly table: RawBuilder<unknown>;
  readonly isRepeat: RawBuilder<boolean>;
}

/** The same operation, or, of a device that names none, the same number with the same code. */
function repeatsOf(sessionId: string): Repeats {
  const isRepeat = sql<boolean>`scan.session_id = ${sessionId} and (scan.op_id = late.op_id
    or (scan.op_id is null and late.op_id is null and scan.device_id = late.device_id and scan.seq = late.seq
      and scan.input = late.input))`;
  return { table: sql.table(nameAside("scans")), isRepeat };
}

async function dropRepeats({ transaction }: ArchiveWork, sessionId: string): Promise<number> {
  const repeats = repeatsOf(sessionId);
  await takeBackKept(transaction, sessionId, repeats);
  const { numAffectedRows } = await sql`
    delete from ${repeats.table} late using scans scan where ${repeats.isRepeat}`.execute(transaction);
  return Number(numAffectedRows ?? 0);
}

/**
 * What its counter took back while it was archived is taken back of the one that the archive holds, as an undo after the end does it
 * (scanning/undo.ts): what is in no total goes out, and what counts, or may be chosen yet, leaves its figure in doubt.
 */
async function takeBackKept(
  transaction: Transaction,
  sessionId: string,
  { table, isRepeat }: Repeats,
): Promise<void> {
  const isUndone = sql<boolean>`${isRepeat} and late.status = 'voided' and late.reason = 'UNDONE'`;
  await sql`
    with undone as (
      select distinct scan.sku from ${table} late join scans scan on ${isUndone}
      where scan.sku is not null and (scan.status = 'counted' or ${isInQuestion})),
    again as (
      delete from included_figures figure using undone
      where figure.session_id = ${sessionId} and figure.sku = undone.sku and figure.reason = 'UNDONE_AFTER_END')
    insert into uncertain_figures (session_id, sku, reason)
    select ${sessionId}::uuid, sku, 'UNDONE_AFTER_END' from undone on conflict do nothing`.execute(
    transaction,
  );
  await sql`
    update scans scan set status = 'voided', reason = 'UNDONE', voided_by = late.voided_by, voided_at = late.voided_at,
      voided_from = case scan.status when 'voided' then scan.voided_from when 'unresolved' then 'unresolved' end,
      voided_from_reason = case scan.status when 'voided' then scan.voided_from_reason else scan.reason end
    from ${table} late
    where ${isUndone} and (scan.status in ('late', 'unresolved') or scan.reason in ('TAG_COUNTED', 'DISMISSED'))`.execute(
    transaction,
  );
}

/**
 * A device that had lost its numbers began from one while the server knew of none. Its scans go on after those of the archive, with the next
 * free numbers: a number says in which order a device scanned, and must not make two scans one. Numbers so high that they were made up are
 * passed over, as the device itself would go on from none of them.
 */
async function numberAnew(client: pg.Client, sessionId: string): Promise<void> {
  await client.query(
    `WITH taken AS (
       SELECT late.id, late.device_id, row_number() OVER (PARTITION BY late.device_id ORDER BY late.seq) AS place
       FROM ${aside("scans")} late
       WHERE EXISTS (SELECT FROM scans kept
         WHERE kept.session_id = $1 AND kept.device_id = late.device_id AND kept.seq = late.seq)),
     used AS (
       SELECT device_id, seq FROM scans WHERE session_id = $1 AND device_id IN (SELECT device_id FROM taken)
       UNION SELECT device_id, seq FROM ${aside("scans")} WHERE device_id IN (SELECT device_id FROM taken)),
     room AS (
       SELECT device_id, count(*) + (SELECT count(*) FROM used WHERE used.device_id = taken.device_id) AS size
       FROM taken GROUP BY device_id),
     free AS (
       SELECT room.device_id, next.seq, row_number() OVER (PARTITION BY room.device_id ORDER BY next.seq) AS place
       FROM room
       CROSS JOIN LATERAL (
         SELECT coalesce(max(seq), 0) AS seq FROM used
         WHERE used.device_id = room.device_id AND used.seq <= $2::bigint - room.size) last
       CROSS JOIN LATERAL generate_series(last.seq + 1, last.seq + room.size) AS next (seq)
       WHERE NOT EXISTS (SELECT FROM used WHERE used.device_id = room.device_id AND used.seq = next.seq))
     UPDATE ${aside("scans")} late SET seq = free.seq
     FROM taken JOIN free USING (device_id, place)
     WHERE late.id = taken.id`,
    [sessionId, limits.runningSequence],
  );
}
