import { parseArgs } from "node:util";
import { TimestampInput } from "@stocktake/contract";
import { countText, timeText } from "../kernel/formats.ts";
import { type DatabaseCommand, runOnDatabase } from "./database-command.ts";
import { type Marked, markRestored } from "./mark-restored.ts";

const usage = `Usage: npm run mark-restored -- --to MOMENT
  MOMENT  what the database went back to, with its time zone: 2026-11-27T10:00:00Z or 2026-11-27T11:00:00+01:00
Run it while no server runs, where a database went back by other means than restore, and start the server then.
`;

/**
 * Tells the product that its database went back to an earlier moment by other means than its own restore. Returns the exit
 * code: 0 done, now or before, 1 refused or failed, 2 for arguments that make no sense.
 */
export async function runMarkRestored(command: DatabaseCommand): Promise<number> {
  const to = readMoment(command.args);
  if (to === null) {
    command.errors.write(usage);
    return 2;
  }
  return runOnDatabase(command, "Marking", async ({ connection, name }, config) => {
    const pooled = typeof config.databaseDirectUrl === "string";
    const marked = await markRestored(connection, { to, pooled });
    command.output.write(textOf(marked, { to, name }));
  });
}

function readMoment(args: readonly string[]): Date | null {
  try {
    const { values } = parseArgs({ args: [...args], options: { to: { type: "string" } } });
    const moment = TimestampInput.safeParse(values.to);
    return moment.success ? new Date(moment.data) : null;
  } catch {
    // Unknown options and stray words: the usage says what there is.
    return null;
  }
}

function textOf(marked: Marked, { to, name }: { readonly to: Date; readonly name: string }): string {
  if (marked.kind === "already") {
    return `This was done for ${timeText(to)} on ${timeText(marked.at)} already. Nothing was changed.\n`;
  }
  const { from, lastKnown, sessions, moves } = marked;
  const lines = [
    `Marked as restored to ${timeText(to)}: ${name}.`,
    ...(from < to
      ? [
          `The last thing that it knows is of ${timeText(from)}: whatever happened from then on counts as unknown.`,
        ]
      : []),
    ...(lastKnown > to
      ? [
          `It knows things of up to ${timeText(lastKnown)}: a server has worked on it since it went back, or it went back ` +
            "to less long ago than you say. Nothing can check that moment: if the database may lack things of before it, as a standby that was " +
            "behind does, run this again with an earlier one.",
        ]
      : []),
    "It has a new epoch, by which devices learn that they have to send again what may be lost.",
    `${countText(sessions, "session is", "sessions are")} held: nothing of them is deployed or rolled back before it is compared with Shopify's stock and released.`,
    ...(moves > 0
      ? [
          `${countText(moves, "deploy or rollback was", "deploys or rollbacks were")} under way and ended there.`,
        ]
      : []),
    "Logins with a password have ended, session codes are closed, and nobody who was still to be invited is sent a mail.",
    "Next: start the server, sign in, and press Review Sessions on the dashboard. Whom you removed and what you changed or revoked",
    "since that moment, remove, change and revoke again (docs/OPERATIONS.md, Data).",
  ];
  return `${lines.join("\n")}\n`;
}
