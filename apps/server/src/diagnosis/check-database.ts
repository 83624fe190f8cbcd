import type { Finding } from "@stocktake/contract";
import { messageOf } from "../database/errors.ts";
import type { Database } from "../database/pool.ts";
import type { Clock } from "../kernel/clock.ts";
import { timeToReplica } from "../reports/reports.ts";
import { failed, ok, warning } from "./finding.ts";
import { bytesText } from "./formats.ts";
import { type Installation, type PostgresServer, readInstallation, readServer } from "./queries.ts";

export interface DatabaseReading {
  readonly findings: readonly Finding[];
  /** Null where the database could not be read. */
  readonly installation: Installation | null;
}

/** What a server's connections and one command of the shell need at a time. */
const connectionsNeeded = 25;

export interface Databases {
  readonly database: Database;
  /** Follows the database; null where none does. */
  readonly replica: Database | null;
  readonly clock: Clock;
}

export async function checkDatabase({ database, replica, clock }: Databases): Promise<DatabaseReading> {
  try {
    const installation = await readInstallation(database);
    const findings = interpret(await readServer(database));
    if (replica === null) return { installation, findings };
    return { installation, findings: [...findings, await checkReplica(database, replica, clock)] };
  } catch (error) {
    return { installation: null, findings: [unreadable(messageOf(error))] };
  }
}

export function unreadable(why: string): Finding {
  return failed(
    "database",
    `The database can't be read: ${why}`,
    "What was stored is untouched. Make sure that PostgreSQL runs and that this is the release that wrote the data, " +
      "then look at the log's first error since the last start.",
  );
}

async function checkReplica(database: Database, replica: Database, clock: Clock): Promise<Finding> {
  try {
    const behindMs = await timeToReplica(database, replica, clock);
    return ok("database", `The replica for reports follows within ${Math.ceil(behindMs)} ms.`);
  } catch (error) {
    return warning(
      "database",
      `The replica for reports can't be read: ${messageOf(error)}. Reports come from the database itself, and are right.`,
      "Make sure that DATABASE_REPLICA_URL leads to a streaming replica of this database, and that it runs and follows.",
    );
  }
}

function interpret({ version, bytes, fsync, connectionsLeft }: PostgresServer): Finding[] {
  const findings = [
    ok("database", `PostgreSQL ${version} is responding; the data takes ${bytesText(bytes)}.`),
  ];
  if (fsync !== "on") {
    findings.push(
      failed(
        "database",
        "PostgreSQL runs with fsync off: a power cut would lose scans that were accepted.",
        "Set fsync = on in PostgreSQL's configuration.",
      ),
    );
  }
  if (connectionsLeft < connectionsNeeded) {
    findings.push(
      warning(
        "database",
        `PostgreSQL has only ${connectionsLeft} connections left.`,
        "Raise max_connections in PostgreSQL's configuration: each Stocktake server uses up to 20.",
      ),
    );
  }
  return findings;
}
