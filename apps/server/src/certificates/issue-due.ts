import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import { issueFurther } from "./issue-certificate.ts";
import type { CertificateServices } from "./services.ts";

/** A session with a certificate since which something was logged, or a device was heard of. */
interface ChangedSession {
  readonly sessionId: string;
  /** Differs after each of these changes. */
  readonly state: string;
}

/**
 * Issues by the clock what `followChanges` missed: it goes by events alone, which a server that was killed just then, or whose
 * database was away, never heard. The returned function looks at each session once for each of its changes, and again where something is
 * still open or it failed.
 */
export function createDueIssuer(
  services: Pick<CertificateServices, "database" | "events" | "logger">,
): () => Promise<void> {
  const done = new Map<string, string>();
  return async () => {
    for (const { sessionId, state } of await readChangedSessions(services.database)) {
      if (done.get(sessionId) === state) continue;
      try {
        if (await issueFurther(services, sessionId)) done.set(sessionId, state);
      } catch (err) {
        const message =
          "The next version of a coverage certificate could not be issued; it is tried again within a minute";
        services.logger.warn({ err, session: sessionId }, message);
      }
    }
  };
}

/**
 * Whatever makes a further version is in the log, and so is that the version was issued; but for what devices tell of their queues, and for a
 * version of late that may be of a server of another release, as while one takes over from the other.
 */
async function readChangedSessions(database: Database): Promise<readonly ChangedSession[]> {
  const { rows } = await sql<ChangedSession>`
    select certified.session_id, concat_ws(' ', chain.length, heard.last) as state
    from (select session_id, max(version) as version, max(issued_at) as issued_at from coverage_certificates group by session_id) certified
    join audit_chains chain on chain.chain = certified.session_id::text
    join audit_entries newest on newest.chain = chain.chain and newest.position = chain.length
    cross join lateral (
      select greatest(
        (select max(last_seen_at) from session_devices where session_id = certified.session_id),
        (select max(told_at) from opened_devices where session_id = certified.session_id)) as last) heard
    where newest.action <> 'certificate.issued' or heard.last > certified.issued_at
      or (certified.version > 1 and certified.issued_at > now() - interval '1 hour')`.execute(database);
  return rows;
}
