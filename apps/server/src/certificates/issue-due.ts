import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import { issueFurther } from "./issue-certificate.ts";
import type { CertificateServices } from "./services.ts";

/** A session with a certificate in whose log something came after it. */
interface ChangedSession {
  readonly sessionId: string;
  /** Entries in its log. */
  readonly length: number;
}

/**
 * Issues by the clock what `followChanges` missed: it goes by events alone, which a server that was killed just then, or whose
 * database was away, never heard. The returned function looks at each session once for each change of its log, and again where that failed.
 */
export function createDueIssuer(
  services: Pick<CertificateServices, "database" | "events" | "logger">,
): () => Promise<void> {
  const seen = new Map<string, number>();
  return async () => {
    for (const { sessionId, length } of await readChangedSessions(services.database)) {
      if (seen.get(sessionId) === length) continue;
      try {
        await issueFurther(services, sessionId);
        seen.set(sessionId, length);
      } catch (err) {
        const message =
          "The next version of a coverage certificate could not be issued; it is tried again within a minute";
        services.logger.warn({ err, session: sessionId }, message);
      }
    }
  };
}

/** Whatever makes a further version is in the log, and so is that the version was issued. A session in a file changes no more. */
async function readChangedSessions(database: Database): Promise<readonly ChangedSession[]> {
  const { rows } = await sql<ChangedSession>`
    select certified.session_id, chain.length
    from (select distinct session_id from coverage_certificates) certified
    join audit_chains chain on chain.chain = certified.session_id::text
    join audit_entries newest on newest.chain = chain.chain and newest.position = chain.length
    where newest.action <> 'certificate.issued'
      and certified.session_id not in (select session_id from session_archives)`.execute(database);
  return rows;
}
