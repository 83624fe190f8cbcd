import { countText, quantityText } from "../../kernel/formats.ts";
import { type DatabaseCommand, runOnDatabase } from "../database-command.ts";
import { archiveSession } from "./archive-session.ts";
import { bringBack } from "./bring-back.ts";
import { listForArchive } from "./list-for-archive.ts";
import type { ListedSession } from "./what-speaks-against.ts";

const archiveUsage = `Usage: npm run archive                      lists the sessions, and which can be archived
       npm run archive -- SESSION FILE      puts the session's counts and report into the file
  SESSION  its ID, whole or its last 8 characters
  FILE     a new file; keep copies of it as you keep backups
`;

/** Archives a session, or lists what can be archived. Returns the exit code: 0 done, 1 refused or failed, 2 for arguments that make no sense. */
export async function runArchive(command: DatabaseCommand): Promise<number> {
  const [session, file, ...more] = command.args;
  if (session === undefined) {
    return runOnDatabase(command, "The list of sessions", async ({ connection }) =>
      command.output.write(await listForArchive(connection)),
    );
  }
  const ending = session.trim().toLowerCase();
  if (file === undefined || more.length > 0 || !/^[0-9a-f-]{8,36}$/.test(ending)) {
    command.errors.write(archiveUsage);
    return 2;
  }
  return runOnDatabase(command, "The archive", async ({ connection }) => {
    const done = await archiveSession(connection, { session: ending, file });
    command.output.write(
      done.kind === "already"
        ? `${named(done.session)} was archived already on ${dayOf(done.at)}, in a file called ${done.file}.\n`
        : `${named(done.session)} is archived: ${countText(done.rows, "row", "rows")} of ${quantityText(done.tables)} tables are in ${file} and no longer in ` +
            "the database. Backups from now on don't hold them: keep copies of the file as you keep backups.\n" +
            `To see the session again: npm run bring-back -- ${file}\n`,
    );
  });
}

/** Brings an archived session back. Returns the exit code, as `runArchive`. */
export async function runBringBack(command: DatabaseCommand): Promise<number> {
  const [file, ...more] = command.args;
  if (file === undefined || more.length > 0) {
    command.errors.write("Usage: npm run bring-back -- FILE\n");
    return 2;
  }
  return runOnDatabase(command, "The bring-back", async ({ connection }) => {
    const done = await bringBack(connection, file);
    if (done.kind === "already") {
      command.output.write(`${named(done.session)} is in the database. Nothing was changed.\n`);
      return;
    }
    const repeats = done.repeats === 0 ? "" : `, of which ${quantityText(done.repeats)} had come before`;
    const since =
      done.scansSince === 0
        ? ""
        : `${countText(done.scansSince, "scan", "scans")} came while it was archived${repeats}: what is new waits for a decision on its report.\n`;
    command.output.write(
      `${named(done.session)} is back: ${countText(done.rows, "row", "rows")}, each as it was archived.\n${since}`,
    );
  });
}

function named({ store, name, startedAt, endedAt }: ListedSession): string {
  const until = endedAt === null ? "" : ` to ${dayOf(endedAt)}`;
  return `The session of ${store}${name === null ? "" : `, ${name},`} from ${dayOf(startedAt)}${until}`;
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
