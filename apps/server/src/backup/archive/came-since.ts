import { limits } from "@stocktake/contract";
import pg from "pg";
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
      repeats = await dropRepeats(client, since.sessionId);
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

/** The same operation, or, of a device that names none, the same number with the same code. */
const isRepeat = `kept.session_id = $1 AND (kept.op_id = late.op_id
  OR (kept.op_id IS NULL AND late.op_id IS NULL AND kept.device_id = late.device_id AND kept.seq = late.seq
    AND kept.input = late.input))`;

async function dropRepeats(client: pg.Client, sessionId: string): Promise<number> {
  await takeBackKept(client, sessionId);
  const { rowCount } = await client.query(
    `DELETE FROM ${aside("scans")} late USING scans kept WHERE ${isRepeat}`,
    [sessionId],
  );
  return rowCount ?? 0;
}

/** Of a second count that an administrator may choose yet (scanning/undo-queries.ts). */
const isInQuestion = `(kept.status = 'compared' OR kept.reason = 'SUPERSEDED')
  AND (SELECT max(counting.pass) FROM area_passes counting
    WHERE counting.session_id = kept.session_id AND counting.area_id = kept.area_id) IN (kept.pass, (
      SELECT attempt.of_pass FROM second_counts attempt
      WHERE attempt.session_id = kept.session_id AND attempt.area_id = kept.area_id AND attempt.pass = kept.pass))
  AND EXISTS (SELECT FROM compared_counts compared
    WHERE compared.session_id = kept.session_id AND compared.area_id = kept.area_id AND compared.sku = kept.sku
      AND compared.settled_as IS NULL AND (kept.status = 'compared' OR (kept.resolved_by IS NULL AND EXISTS (
        SELECT FROM second_counts attempt
        WHERE attempt.session_id = kept.session_id AND attempt.area_id = kept.area_id
          AND attempt.pass = kept.sent_pass AND attempt.of_pass = compared.of_pass))))`;

/**
 * What its counter took back while it was archived is taken back of the one that the archive holds, as an undo after the end does it
 * (scanning/undo.ts): what is in no total goes out, and what counts, or may be chosen yet, leaves its figure in doubt.
 */
async function takeBackKept(client: pg.Client, sessionId: string): Promise<void> {
  const isUndone = `${isRepeat} AND late.status = 'voided' AND late.reason = 'UNDONE'`;
  await client.query(
    `WITH undone AS (
       SELECT DISTINCT kept.sku FROM ${aside("scans")} late JOIN scans kept ON ${isUndone}
       WHERE kept.sku IS NOT NULL AND (kept.status = 'counted' OR (${isInQuestion}))),
     again AS (
       DELETE FROM included_figures figure USING undone
       WHERE figure.session_id = $1 AND figure.sku = undone.sku AND figure.reason = 'UNDONE_AFTER_END')
     INSERT INTO uncertain_figures (session_id, sku, reason)
     SELECT $1, sku, 'UNDONE_AFTER_END' FROM undone ON CONFLICT DO NOTHING`,
    [sessionId],
  );
  await client.query(
    `UPDATE scans kept SET status = 'voided', reason = 'UNDONE', voided_by = late.voided_by, voided_at = late.voided_at,
       voided_from = CASE kept.status WHEN 'voided' THEN kept.voided_from WHEN 'unresolved' THEN 'unresolved' END,
       voided_from_reason = CASE kept.status WHEN 'voided' THEN kept.voided_from_reason ELSE kept.reason END
     FROM ${aside("scans")} late
     WHERE ${isUndone} AND (kept.status IN ('late', 'unresolved') OR kept.reason IN ('TAG_COUNTED', 'DISMISSED'))`,
    [sessionId],
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
