import type { DatabaseConnection } from "../../database/connection.ts";
import { countText } from "../../kernel/formats.ts";
import { countExceptions } from "../../sessions/sessions.ts";
import { findArchive, listSessions } from "./archive-queries.ts";
import { inArchiveTransaction } from "./archive-work.ts";
import { whatSpeaksAgainst } from "./what-speaks-against.ts";

/** Every session that has ended, a line each and under it what speaks against its archiving, or where it is. */
export function listForArchive(connection: DatabaseConnection): Promise<string> {
  const oneMoment = { isolation: "repeatable read", schemaIsHeld: false } as const;
  return inArchiveTransaction(connection, oneMoment, async ({ transaction }) => {
    const lines: string[] = [];
    for (const session of await listSessions(transaction)) {
      if (session.endedAt === null) continue;
      const name = session.name === null ? "" : `, ${session.name}`;
      lines.push(`${session.id}  ${session.endedAt.toISOString().slice(0, 10)}  ${session.store}${name}`);
      const archive = await findArchive(transaction, session.id);
      if (archive === undefined) {
        const reasons = await whatSpeaksAgainst(transaction, session);
        lines.push(...(reasons.length === 0 ? ["can be archived"] : reasons).map((line) => `  ${line}`));
        continue;
      }
      const { unresolved, late } = await countExceptions(transaction, session.id);
      const waiting = unresolved + late;
      const since =
        waiting === 0
          ? ""
          : `; ${countText(waiting, "scan came since and waits", "scans came since and wait")} for it`;
      lines.push(
        `  archived on ${archive.archivedAt.toISOString().slice(0, 10)} in ${archive.fileName}${since}`,
      );
    }
    return `${lines.length === 0 ? "No session has ended yet." : lines.join("\n")}\n`;
  });
}
