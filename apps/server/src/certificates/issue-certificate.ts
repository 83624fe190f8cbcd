import { createHash } from "node:crypto";
import type { CertificateInBrief, OpenCoverage } from "@stocktake/contract";
import { sql } from "kysely";
import {
  type AuditActor,
  actorOf,
  canonicalJson,
  recordAudit,
  serverActor,
  sessionSubject,
} from "../audit/audit.ts";
import type { Transaction } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { lockSession, type SessionRow } from "../sessions/sessions.ts";
import {
  isNewestIssuedLast,
  newestCertificate,
  presentInBrief,
  readCertificates,
  readWholeSession,
  type StoredCertificate,
} from "./certificate-queries.ts";
import { changesBetween } from "./changes.ts";
import { type Facts, readFactsIfDone } from "./facts.ts";
import { readOpen } from "./open-queries.ts";
import type { CertificateServices } from "./services.ts";

/** Names the form of a certificate's text (docs/CERTIFICATES.md). */
const certificateFormat = "stocktake-certificate-1";

/**
 * Issues the certificate of an ended session, or the next version of it. Where the newest one says what is so now it stays.
 * @throws ApiError NOT_FOUND, SESSION_ACTIVE, COVERAGE_OPEN.
 */
export async function issueByHand(
  { database, events }: CertificateServices,
  caller: AdminCaller,
  sessionId: string,
): Promise<CertificateInBrief> {
  const { certificate, isNew } = await database.transaction().execute(async (transaction) => {
    const session = await holdSession(transaction, sessionId);
    if (session.status !== "closed") throw stillCounting();
    const facts = await readFactsIfDone(transaction, session, { withItems: true });
    if (facts === null) throw stillOpen(await readOpen(transaction, session));
    return issue(transaction, session, { facts, issuer: { actor: actorOf(caller), user: caller } });
  });
  if (isNew) events.publish({ type: "adjustment", sessionId });
  return presentInBrief(certificate, true);
}

function stillCounting(): ApiError {
  return new ApiError(
    "SESSION_ACTIVE",
    "This session is still active. Its coverage certificate can be issued once it has ended.",
  );
}

function stillOpen(open: readonly OpenCoverage[]): ApiError {
  const count = open.reduce((sum, each) => sum + each.count, 0);
  const things = count === 1 ? "1 thing is" : `${count.toLocaleString("en")} things are`;
  return new ApiError(
    "COVERAGE_OPEN",
    `There is no coverage certificate while anything is open: ${things}. Work off the list first.`,
  );
}

/**
 * Issues the next version where there is a certificate that no longer says what is so, and nothing is open. Resolves to whether the newest
 * version, where there is one, says what is so now. `atOnce`: nothing is issued where only another release says it in another way.
 */
export async function issueFurther(
  { database, events }: Pick<CertificateServices, "database" | "events">,
  sessionId: string,
  { atOnce = false }: { readonly atOnce?: boolean } = {},
): Promise<boolean> {
  if ((await newestCertificate(database, sessionId)) === undefined) return true;
  const issued = await database.transaction().execute(async (transaction) => {
    const session = await holdSession(transaction, sessionId);
    const facts = await readFactsIfDone(transaction, session, { withItems: true });
    if (facts === null || (atOnce && (await isContradicted(transaction, sessionId, facts)))) return null;
    return issue(transaction, session, { facts, issuer: { actor: serverActor, user: null } });
  });
  if (issued?.isNew === true) events.publish({ type: "adjustment", sessionId });
  return issued !== null;
}

/**
 * Whether the newest version replaced one that says what is so now, although nothing was changed since. Servers of two releases do that
 * while one takes over from the other: both issuing at once, each on the other's event, they would fill the log.
 */
async function isContradicted(
  transaction: Transaction,
  sessionId: string,
  { fingerprint }: Facts,
): Promise<boolean> {
  const [, before] = await readCertificates(transaction, sessionId, { count: 2 });
  return before?.fingerprint === fingerprint && (await isNewestIssuedLast(transaction, sessionId));
}

/** Whatever changes what counts after the end takes this row too, so that it comes before or after the certificate. */
async function holdSession(transaction: Transaction, sessionId: string): Promise<SessionRow> {
  const session = await lockSession(transaction, sessionId);
  await readWholeSession(transaction);
  const { name: storeName } = await sessionSubject(transaction, sessionId);
  return { ...session, storeName };
}

interface Issuer {
  readonly actor: AuditActor;
  /** Null for the server itself. */
  readonly user: Pick<AdminCaller, "userId" | "username"> | null;
}

/** The caller holds the session, and nothing is open. */
async function issue(
  transaction: Transaction,
  session: SessionRow,
  { facts, issuer }: Omit<Composed, "previous">,
): Promise<{ readonly certificate: StoredCertificate; readonly isNew: boolean }> {
  const previous = await newestCertificate(transaction, session.id);
  if (previous?.fingerprint === facts.fingerprint) return { certificate: previous, isNew: false };
  const { text, version, at } = await compose(transaction, session, { facts, previous, issuer });
  const hash = createHash("sha256").update(text, "utf8").digest("hex");
  const stored = {
    ...{ sessionId: session.id, version, body: text, hash, fingerprint: facts.fingerprint },
    ...{ issuedBy: issuer.user?.userId ?? null, issuedAt: at },
  };
  await transaction
    .insertInto("coverageCertificates")
    .values({ ...stored, items: facts.stock.items })
    .execute();
  await recordAudit(transaction, {
    sessionId: session.id,
    actor: issuer.actor,
    action: "certificate.issued",
    subject: { kind: "session", id: session.id, name: session.storeName },
    before: previous === undefined ? null : { version: previous.version, hash: previous.hash },
    after: { version, hash },
  });
  return { certificate: { ...stored, issuer: issuer.user?.username ?? null }, isNew: true };
}

interface Composed {
  readonly facts: Facts;
  readonly previous: StoredCertificate | undefined;
  readonly issuer: Issuer;
}

/** The text of the next version: JSON with sorted keys (RFC 8785). */
async function compose(transaction: Transaction, session: SessionRow, { facts, previous, issuer }: Composed) {
  const version = (previous?.version ?? 0) + 1;
  const { rows } = await sql<{
    at: Date;
  }>`select date_trunc('milliseconds', clock_timestamp()) as at`.execute(transaction);
  const [{ at } = { at: new Date() }] = rows;
  const text = canonicalJson({
    format: certificateFormat,
    version,
    previousHash: previous?.hash ?? null,
    issuedAt: at.toISOString(),
    issuedBy: issuer.actor.name,
    changes: previous === undefined ? null : await changesBetween(transaction, session, previous, facts),
    ...facts.body,
  });
  return { text, version, at };
}
