import type { CertificateInBrief } from "@stocktake/contract";
import { type Selectable, sql } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";
import type { Tables } from "../database/tables.ts";
import { joinAsAWhole } from "../reports/reports.ts";

/** A version as it is stored, without its list of SKUs. */
export type StoredCertificate = Omit<Selectable<Tables["coverageCertificates"]>, "items"> & {
  readonly issuer: string | null;
};

/** Versions of a session's certificate, the newest first: up to `count` before a version. */
export async function readCertificates(
  reader: Database,
  sessionId: string,
  { before = null, count }: { readonly before?: number | null; readonly count: number },
): Promise<StoredCertificate[]> {
  return reader
    .selectFrom("coverageCertificates as certificate")
    .leftJoin("users", "users.id", "certificate.issuedBy")
    .select(["certificate.sessionId", "certificate.version", "certificate.body", "certificate.hash"])
    .select([
      "certificate.fingerprint",
      "certificate.issuedBy",
      "certificate.issuedAt",
      "users.username as issuer",
    ])
    .where("certificate.sessionId", "=", sessionId)
    .$if(before !== null, (query) => query.where("certificate.version", "<", sql<number>`${before}::bigint`))
    .orderBy("certificate.version", "desc")
    .limit(count)
    .execute();
}

/** The certificate of the highest version; undefined where none was issued. */
export async function newestCertificate(
  reader: Database,
  sessionId: string,
): Promise<StoredCertificate | undefined> {
  const [newest] = await readCertificates(reader, sessionId, { count: 1 });
  return newest;
}

/** Whether nothing was logged of the session since the newest version was issued. */
export async function isNewestIssuedLast(reader: Database, sessionId: string): Promise<boolean> {
  const newest = await reader
    .selectFrom("auditEntries")
    .select("action")
    .where("chain", "=", sessionId)
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();
  return newest?.action === "certificate.issued";
}

export async function countCertificates(reader: Database, sessionId: string): Promise<number> {
  const { versions } = await reader
    .selectFrom("coverageCertificates")
    .select(({ fn }) => fn.countAll<number>().as("versions"))
    .where("sessionId", "=", sessionId)
    .executeTakeFirstOrThrow();
  return Number(versions);
}

/** @param valid nothing is open, and it says what is so now */
export function presentInBrief(certificate: StoredCertificate, valid: boolean): CertificateInBrief {
  const { version, hash, issuedAt, issuer } = certificate;
  return {
    ...{ version, hash, valid },
    issuedAt: issuedAt.toISOString(),
    issuedBy: issuer === null ? null : { username: issuer },
  };
}

/** Room and plans for statements over a whole session's items, until the transaction ends. */
export async function readWholeSession(transaction: Transaction): Promise<void> {
  await joinAsAWhole(transaction);
  await sql`select set_config('work_mem', '64MB', true), set_config('jit', 'off', true),
    set_config('max_parallel_workers_per_gather', '0', true)`.execute(transaction);
}
