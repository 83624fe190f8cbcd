import type { CallAnswer, ScanAnswer, storeCountRows } from "@stocktake/contract";
import { actorOf, recordAudit } from "../../audit/audit.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import type { ScanIntake, ScanningServices } from "../../scanning/scanning.ts";
import { storeAll } from "../store-scans.ts";
import { alikeOf, sumOf, sumsOf } from "./check-rows.ts";
import { type InterpretedRows, interpretRows, type SentRows } from "./interpret-rows.ts";

interface PartOfFile extends SentRows {
  readonly sessionId: string;
  readonly file: string;
}

/**
 * Stores the rows of a file as scans of those who counted, each once, however often and in whatever parts the file is sent:
 * by the way of a device's batch, which decides what each becomes. Bad rows are left out and named, and so
 * are rows that look like one that is here already, unless whoever sends them wants them counted.
 * @throws ApiError NOT_FOUND, SESSION_CLOSED, SESSION_ENDING, OVERLOADED; what was stored by then stays, and is known when it is sent again.
 */
export async function storeRows(
  context: ScanningServices,
  intake: ScanIntake,
  caller: AdminCaller,
  part: PartOfFile,
): Promise<CallAnswer<typeof storeCountRows>> {
  const interpreted = await interpretRows(context, caller, part.sessionId, part);
  await recordLoading(context, caller, part.file, interpreted);
  const { stored, refused } = await storeAll(intake, interpreted.good);
  const repeats = stored.filter(({ answer }) => answer.duplicate);
  const fresh = stored.filter(({ answer }) => !answer.duplicate);
  const having = (status: ScanAnswer["status"]) => fresh.filter(({ answer }) => answer.status === status);
  const counted = having("counted");
  return {
    bad: [...interpreted.bad, ...refused.map(({ scan, problem }) => ({ row: scan.row, problem }))],
    known: sumsOf([
      ...interpreted.known,
      ...repeats.map(({ answer, units }) => ({ status: answer.status, units })),
    ]),
    counted: { rows: counted.length, units: sumOf(counted) },
    unresolved: having("unresolved").length,
    alike: alikeOf(interpreted.alike),
    late: having("late").length,
  };
}

/** Before the rows are stored, so that nothing is stored that is missing from the log; which of them were, their scans say. */
async function recordLoading(
  { database }: Pick<ScanningServices, "database">,
  caller: AdminCaller,
  file: string,
  { place: { sessionId, storeName }, good }: InterpretedRows,
): Promise<void> {
  const numbers = good.map(({ row }) => row);
  if (numbers.length === 0) return;
  await database.transaction().execute((transaction) =>
    recordAudit(transaction, {
      sessionId,
      actor: actorOf(caller),
      action: "counts.loaded",
      subject: { kind: "session", id: sessionId, name: storeName },
      before: null,
      after: {
        ...{ file, firstRow: Math.min(...numbers), lastRow: Math.max(...numbers) },
        ...{ rows: numbers.length, units: sumOf(good) },
      },
    }),
  );
}
