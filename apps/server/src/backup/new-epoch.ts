import type pg from "pg";
import { recordAudit, shellActor } from "../audit/audit.ts";
import { type Transaction, withinTransactionOf } from "../database/pool.ts";

interface Epoch {
  /** From here on nobody knows what happened: when the backup was made. ISO 8601. */
  readonly madeAt: string;
  /** What the operator says that the database went back to, where that was by other means than a restore. ISO 8601. */
  readonly wentBackTo?: string;
}

/** What is held from then on: sessions, and deploys and rollbacks that were under way and are ended. */
export interface Held {
  readonly sessions: number;
  readonly moves: number;
}

/**
 * Begins a new epoch of an installation whose database went back to an earlier moment, in the transaction that `client` is in.
 * Nothing moves stock before it is released: Shopify did not go back with it. Of its logins those of temporary counters go on
 * alone: the database does not know what was ended since, and whoever has a password signs in again. A temporary counter may
 * have no way back in once the session is over, and scans to send; the login opens no more than the invitation, which went
 * back as well. Session codes are closed: one that was closed since hangs somewhere still, and would let strangers ask, or
 * in. Whom a session was still to invite is sent no mail by itself: they may have been taken out, or invited, since. Control
 * samples are drawn by new seeds: those to come may have been drawn, and told, since. Links that wait in the outbox are gone: their
 * invitations may have been revoked since. Every browser is a stranger's: an earlier password may be good again, and nobody would
 * be told of whoever signs in by it in a browser that is known.
 */
export async function beginNewEpoch(client: pg.Client, epoch: Epoch): Promise<Held> {
  const { madeAt } = epoch;
  await client.query(
    "DELETE FROM logins USING users WHERE users.id = logins.user_id AND users.invitation_id IS NULL",
  );
  await client.query("UPDATE session_codes SET revoked_at = coalesce(revoked_at, now()), admit_until = NULL");
  await client.query("UPDATE waiting_invitations SET next_attempt_at = NULL, problem = $1", [waitingNote]);
  await client.query("DELETE FROM sample_secrets");
  await client.query("DELETE FROM outbox_mails");
  await client.query(
    `UPDATE installation SET epoch = gen_random_uuid()::text, restored_at = now(), backup_made_at = $1,
       mark_key = DEFAULT`,
    [madeAt],
  );
  const sessions = await holdSessions(client, madeAt);
  const moves = await stopMoves(client, madeAt);
  await withinTransactionOf(client, (transaction) => recordRestore(transaction, epoch, sessions));
  return { sessions, moves };
}

const waitingNote =
  "The database was restored to an earlier moment: this person may have been invited or taken out since.";

/**
 * What nobody knows of a session began with the earliest of the moments that it went back to, until it is released; while it
 * counts its end has all of that time to consider. When that was by Shopify's clock is told by the session's last reading:
 * this database's clock may be set otherwise than that of the one that was lost. Returns how many there are.
 */
async function holdSessions(client: pg.Client, madeAt: string): Promise<number> {
  const first = (column: string, value: string) =>
    `${column} = CASE WHEN restored OR status <> 'closed' THEN least(${column}, ${value}) ELSE ${value} END`;
  const shopTime = "$1::timestamptz + (stock_watermark - coalesce(stock_read_at, start_snapshot_at))";
  const { rowCount } = await client.query(
    `UPDATE sessions SET restored = true, ${first("backup_made_at", "$1::timestamptz")}, ${first("backup_shop_time", shopTime)}`,
    [madeAt],
  );
  return rowCount ?? 0;
}

/** The log goes on behind what the backup had of it: what the lost server recorded since is gone, and a hash of it is in no entry. */
async function recordRestore(
  transaction: Transaction,
  { madeAt, wentBackTo }: Epoch,
  sessions: number,
): Promise<void> {
  const { shopDomain } = await transaction
    .selectFrom("installation")
    .select("shopDomain")
    .executeTakeFirstOrThrow();
  await recordAudit(transaction, {
    sessionId: null,
    actor: shellActor,
    action: "installation.restored",
    subject: { kind: "installation", id: null, name: shopDomain ?? "Stocktake" },
    before: null,
    after: { backupMadeAt: madeAt, sessions, ...(wentBackTo === undefined ? {} : { wentBackTo }) },
  });
}

const restoredNote = "Restored from a backup while it was under way: it may have been moved since.";

/**
 * Ends what was being deployed or rolled back in the backup. The server that the backup is of may have gone on with any
 * row that was not confirmed, so each of them waits for a person. They are put down as moved, if at all, between the
 * backup and now, which is what the plans of other sessions go by. Returns how many deploys and rollbacks it ends.
 */
async function stopMoves(client: pg.Client, madeAt: string): Promise<number> {
  await client.query(
    `UPDATE adjustment_chunks SET state = 'unclear', error = $2, finished_at = now(),
       sent_at = coalesce(sent_at, $1)
     WHERE state IN ('intended', 'sent')`,
    [madeAt, restoredNote],
  );
  await client.query(
    `INSERT INTO adjustment_chunks
       (adjustment_id, direction, chunk, attempt, idempotency_key, reference_uri, changes, state, error, sent_at,
        finished_at)
     SELECT waiting.adjustment_id, waiting.direction, waiting.chunk, tried.attempts + 1, gen_random_uuid(),
       'gid://stocktake/CycleCount/' || adjustment.session_id || '-' || waiting.chunk || '-' || tried.attempts + 1,
       '[]', 'unclear', $2, $1, now()
     FROM (SELECT DISTINCT adjustment_id, direction, chunk FROM adjustment_rows WHERE state = 'waiting') waiting
     JOIN adjustments adjustment ON adjustment.id = waiting.adjustment_id
     CROSS JOIN LATERAL (
       SELECT coalesce(max(attempt), 0) AS attempts FROM adjustment_chunks chunk
       WHERE chunk.adjustment_id = waiting.adjustment_id AND chunk.direction = waiting.direction
         AND chunk.chunk = waiting.chunk) tried`,
    [madeAt, restoredNote],
  );
  await client.query(
    "UPDATE adjustment_rows SET state = 'unclear', note = $1 WHERE state IN ('waiting', 'sent')",
    [restoredNote],
  );
  const { rowCount } = await client.query(
    `UPDATE adjustments SET status = 'partial', note = $1
     WHERE status = 'pending' OR id IN (SELECT adjustment_id FROM operations
       WHERE status = 'running' AND kind IN ('deploy', 'rollback'))`,
    [`${restoredNote} Some SKUs must be looked up in Shopify and settled here.`],
  );
  await client.query(
    `UPDATE operations SET status = 'failed', error_code = 'SESSION_RESTORED', error = $1, finished_at = now()
     WHERE status = 'running' AND kind IN ('deploy', 'rollback')`,
    [restoredNote],
  );
  return rowCount ?? 0;
}
