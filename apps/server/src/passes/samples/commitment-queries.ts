import { sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import { drawsPerCommitment, newSecret, seedOf } from "./seeds.ts";

interface Commitment {
  readonly number: number;
  readonly hash: string;
  readonly closedAreas: number;
}

/** Chooses the secret of a session's next draws and keeps it. The caller records the hash in the audit log. */
export async function commitSeeds(transaction: Transaction, sessionId: string): Promise<Commitment> {
  const secret = newSecret();
  const { rows } = await sql<Commitment>`
    insert into sample_commitments (session_id, number, hash, closed_areas)
    select ${sessionId}::uuid, coalesce((
        select max(number) from sample_commitments where session_id = ${sessionId}), 0) + 1, ${seedOf(secret, 0)},
      (select count(*) from areas join area_passes counting
        on counting.area_id = areas.id and counting.pass = areas.pass and counting.session_id = ${sessionId}
        where areas.status = 'closed' and areas.deleted_at is null)
    returning number, hash, closed_areas`.execute(transaction);
  const [commitment] = rows;
  if (commitment === undefined) throw new Error("A commitment was not kept.");
  await transaction
    .insertInto("sampleSecrets")
    .values({ sessionId, commitment: commitment.number, secret })
    .execute();
  return commitment;
}

interface NextSeed {
  readonly seed: string;
  /** The number of its commitment. */
  readonly commitment: number;
}

/**
 * The seed of the session's next draw. Undefined where nothing is committed, its secret is gone (after a restore) or used up. The
 * caller holds the session's areas, so that two draws can't have the same.
 */
export async function nextSeed(transaction: Transaction, sessionId: string): Promise<NextSeed | undefined> {
  const { rows } = await sql<{ commitment: number; secret: Buffer; draws: number }>`
    select newest.number as commitment, kept.secret, (
        select count(*) from control_samples sample
        where sample.session_id = ${sessionId} and sample.commitment = newest.number) as draws
    from (select max(number) as number from sample_commitments where session_id = ${sessionId}) newest
    join sample_secrets kept on kept.session_id = ${sessionId} and kept.commitment = newest.number`.execute(
    transaction,
  );
  const [found] = rows;
  if (found === undefined || found.draws >= drawsPerCommitment) return undefined;
  return { seed: seedOf(found.secret, found.draws + 1), commitment: found.commitment };
}
