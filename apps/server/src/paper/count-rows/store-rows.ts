import type { BadRow, CallAnswer, ScanAnswer, storeCountRows } from "@stocktake/contract";
import { actorOf, recordAudit } from "../../audit/audit.ts";
import { ApiError } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import type { IncomingScan, ScanIntake, ScanningServices } from "../../scanning/scanning.ts";
import { sumOf } from "./check-rows.ts";
import { type GoodRow, type JudgedRows, judgeRows } from "./judge-rows.ts";
import type { RowOfFile } from "./row-keys.ts";

interface PartOfFile {
  readonly sessionId: string;
  readonly file: string;
  readonly rows: readonly RowOfFile[];
}

/** A row and what became of it. */
interface StoredRow extends GoodRow {
  readonly answer: ScanAnswer;
}

/**
 * Stores the rows of a file as scans of those who counted, each once, however often and in whatever parts the file is sent:
 * by the way of a device's batch, which decides what each becomes. Bad rows are left out and named.
 * @throws ApiError NOT_FOUND, SESSION_CLOSED, SESSION_ENDING, OVERLOADED; what was stored by then stays, and is known when it is sent again.
 */
export async function storeRows(
  context: ScanningServices,
  intake: ScanIntake,
  caller: AdminCaller,
  part: PartOfFile,
): Promise<CallAnswer<typeof storeCountRows>> {
  const judged = await judgeRows(context, caller, part.sessionId, part.rows);
  await recordLoading(context, caller, part.file, judged);
  const { stored, refused } = await storeAll(intake, judged.good);
  const repeats = stored.filter(({ answer }) => answer.duplicate);
  const fresh = stored.filter(({ answer }) => !answer.duplicate);
  const having = (status: ScanAnswer["status"]) => fresh.filter(({ answer }) => answer.status === status);
  const counted = having("counted");
  return {
    bad: [...judged.bad, ...refused],
    known: { ...judged.known, rows: judged.known.rows + repeats.length },
    counted: { rows: counted.length, units: sumOf(counted) },
    unresolved: having("unresolved").length,
    late: having("late").length,
  };
}

/** Before the rows are stored, so that nothing is stored that the log does not know of; which of them were, their scans say. */
async function recordLoading(
  { database }: Pick<ScanningServices, "database">,
  caller: AdminCaller,
  file: string,
  { place: { sessionId, storeName }, good }: JudgedRows,
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

interface Outcome {
  readonly stored: StoredRow[];
  readonly refused: BadRow[];
}

/** A number that another row has by chance is drawn again, as often as this. */
const attempts = 5;

async function storeAll(intake: ScanIntake, rows: readonly GoodRow[]): Promise<Outcome> {
  const outcome: Outcome = { stored: [], refused: [] };
  let left = rows;
  for (let attempt = 0; left.length > 0; attempt += 1) {
    const answers = await intake.store(
      left.map(({ incoming, keys }) =>
        attempt === 0 ? incoming : renumbered(incoming, keys.otherSeq(attempt)),
      ),
      { pending: null, confirmCaller: null },
    );
    const clashing: GoodRow[] = [];
    for (const [index, row] of left.entries()) {
      const answer = answers[index];
      if (answer === undefined) throw new Error("A row of a file was left without a result.");
      if (answer instanceof ApiError) {
        if (answer.code === "SEQ_CONFLICT" && attempt < attempts) clashing.push(row);
        else outcome.refused.push({ row: row.row, problem: answer.message });
      } else if ("failed" in answer) throw answer.failed;
      else outcome.stored.push({ ...row, answer });
    }
    left = clashing;
  }
  return outcome;
}

const renumbered = (incoming: IncomingScan, seq: number): IncomingScan => ({
  ...incoming,
  seq,
  highestSeq: seq,
});
