import { sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import type { SessionRow } from "../../sessions/sessions.ts";
import { countedStock } from "../counted-stock-queries.ts";
import { countOfRow } from "../rows/report-row-queries.ts";
import type { StoredRow } from "../rows/stored-rows.ts";
import type { CountOfSku } from "../searched/searched-queries.ts";
import type { FileRecord } from "./linked-lines.ts";

/** The areas that a pass or a second count of the session is of, and what else the store has now. */
export async function readFileAreas(
  transaction: Transaction,
  { id, storeId }: { readonly id: string; readonly storeId: string },
): Promise<FileRecord[]> {
  const { rows } = await sql<FileRecord>`
    select 'area' as is, area.id, area.code, area.name, location.name as location, area.deleted_at is not null as deleted
    from areas area join locations location on location.id = area.location_id
    where location.store_id = ${storeId} and area.deleted_at is null
      or area.id in (select area_id from area_passes where session_id = ${id})
    order by location.name, area.code, area.id`.execute(transaction);
  return rows;
}

/** Every pass of the session and every attempt at a second or third count, with how each ended. */
export async function readFilePasses(transaction: Transaction, sessionId: string): Promise<FileRecord[]> {
  const { rows } = await sql<FileRecord>`
    select 'pass' as is, pass.area_id, pass.pass, null::integer as of_pass, 1 as round, null as asked_by, null as origin,
      null::integer as sample, null::text[] as only_skus, pass.declared_total, pass.server_total, pass.finished_by_device as device, pass.ended_as,
      pass.ended_at, ender.username as ended_by, pass.reason
    from area_passes pass left join users ender on ender.id = pass.ended_by
    where pass.session_id = ${sessionId}
    union all
    select 'pass', attempt.area_id, attempt.pass, attempt.of_pass, attempt.round, asker.username, attempt.origin,
      attempt.sample, attempt.only_skus, attempt.declared_total, attempt.server_total, attempt.finished_by_device, attempt.ended_as,
      attempt.ended_at, ender.username, null
    from second_counts attempt
    left join users asker on asker.id = attempt.asked_by
    left join users ender on ender.id = attempt.ended_by
    where attempt.session_id = ${sessionId}
    order by area_id, pass`.execute(transaction);
  return rows;
}

/** What the counts of an area came to where it was counted more than once, SKU by SKU. */
export async function readFileComparisons(
  transaction: Transaction,
  sessionId: string,
): Promise<FileRecord[]> {
  const { rows } = await sql<FileRecord>`
    select 'comparison' as is, compared.area_id, compared.of_pass, compared.sku, compared.first, compared.second, compared.third,
      compared.settled_as, settler.username as settled_by, compared.settled_at, compared.reason
    from compared_counts compared left join users settler on settler.id = compared.settled_by
    where compared.session_id = ${sessionId}
    order by compared.area_id, compared.of_pass, compared.sku`.execute(transaction);
  return rows;
}

/** The control samples with their seeds, what committed them, and the areas that each was drawn from. */
export async function readFileSamples(transaction: Transaction, sessionId: string): Promise<FileRecord[]> {
  const { rows } = await sql<FileRecord>`
    select 'sample' as is, sample.number, commitment.hash as commitment, commitment.committed_at, commitment.closed_areas,
      sample.seed, drawer.username as drawn_by, sample.drawn_at, sample.reason, sample.not_closed, sample.counted_twice,
      sample.voided_at, voider.username as voided_by, sample.void_reason, sampled.areas
    from control_samples sample
    join sample_commitments commitment
      on commitment.session_id = sample.session_id and commitment.number = sample.commitment
    left join users drawer on drawer.id = sample.drawn_by
    left join users voider on voider.id = sample.voided_by
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('areaId', area.area_id, 'pass', area.pass, 'units', area.units, 'drawn', area.drawn)
        order by area.area_id), '[]') as areas
      from sample_areas area where area.session_id = sample.session_id and area.number = sample.number) sampled
    where sample.session_id = ${sessionId}
    order by sample.number`.execute(transaction);
  return rows;
}

/** What was counted of the SKUs, as the report means it; nothing of those that it leaves out. */
export async function readCounts(
  transaction: Transaction,
  session: SessionRow,
  skus: readonly string[],
): Promise<ReadonlyMap<string, CountOfSku>> {
  const { rows } = await sql<Pick<StoredRow, "sku" | "hasCount" | "manual" | "counted">>`
    with ${countedStock(session, skus)} select sku, has_count, manual, counted from stock`.execute(
    transaction,
  );
  return new Map(rows.map((row) => [row.sku, countOfRow(row)]));
}

interface FileCertificate extends FileRecord {
  readonly version: number;
}

/**
 * The versions of the coverage certificate, each with its text and the list of SKUs that the text has the hash of: one after the other,
 * as a list may be megabytes.
 */
export async function* certificatesOf(
  transaction: Transaction,
  sessionId: string,
): AsyncGenerator<FileCertificate> {
  let certificate = await readCertificateAfter(transaction, sessionId, 0);
  while (certificate !== undefined) {
    yield certificate;
    certificate = await readCertificateAfter(transaction, sessionId, certificate.version);
  }
}

async function readCertificateAfter(
  transaction: Transaction,
  sessionId: string,
  version: number,
): Promise<FileCertificate | undefined> {
  const { rows } = await sql<FileCertificate>`
    select 'certificate' as is, certificate.version, certificate.hash, certificate.issued_at, issuer.username as issued_by,
      certificate.body as text, certificate.items
    from coverage_certificates certificate left join users issuer on issuer.id = certificate.issued_by
    where certificate.session_id = ${sessionId} and certificate.version > ${version}
    order by certificate.version limit 1`.execute(transaction);
  return rows[0];
}
