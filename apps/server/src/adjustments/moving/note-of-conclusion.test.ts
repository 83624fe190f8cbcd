import { expect, test } from "vitest";
import type { Direction } from "../queries.ts";
import { addBareAdjustment, type BareRow, bareSessionInFile } from "../testing/bare-adjustment.ts";
import { conclude } from "./conclude.ts";

const bare = bareSessionInFile();

async function addRun(adjustmentId: string, kind: Direction, takeOvers: number): Promise<void> {
  await bare.database
    .insertInto("operations")
    .values({
      ...{ kind, status: "failed", storeId: null, sessionId: null, adjustmentId, total: null, error: null },
      ...{ errorCode: null, startedBy: null, worker: null, takeOvers },
    })
    .execute();
}

const add = (rows: readonly BareRow[]) => addBareAdjustment(bare.database, bare.sessionId, "deploy", rows);

async function concluded(id: string) {
  const { firstNote } = await bare.database
    .transaction()
    .execute((transaction) => conclude(transaction, id, "deploy"));
  const { note } = await bare.database
    .selectFrom("adjustments")
    .select("note")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return { note, firstNote };
}

test.each([
  [[0, 0], null],
  [[0, 1], "The server that worked on it stopped, and another server process took it up."],
  [
    [1_000, 200],
    "Servers that worked on it stopped 1,200 times, and another server process took it up each time.",
  ],
  [[1, 2], "Servers that worked on it stopped 3 times, and another server process took it up each time."],
])("a conclusion says how often other servers took up its own runs: %j", async (takeOvers, note) => {
  const [id, other] = [await add([{}]), await add([{}])];
  for (const times of takeOvers) await addRun(id, "deploy", times);
  await addRun(id, "rollback", 5);
  await addRun(other, "deploy", 7);
  expect(await concluded(id)).toEqual({ note, firstNote: null });
});

test("why something was not moved is said by what was not moved alone", async () => {
  const confirmed: BareRow = { note: "Confirmed by reading." };
  expect(await concluded(await add([confirmed, { state: "unclear", note: "Look it up." }]))).toMatchObject({
    firstNote: null,
  });
  expect(await concluded(await add([confirmed, { state: "not_moved", note: "Not tracked." }]))).toMatchObject(
    { firstNote: "Not tracked." },
  );
});
