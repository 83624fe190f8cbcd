import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../database/testing.ts";
import type { SessionRow } from "../../sessions/sessions.ts";
import { type KeptSessions, openKeptSessions } from "../testing/kept-sessions.ts";
import { readContent } from "./file-records.ts";
import type { FileRecord } from "./linked-lines.ts";

let db: TestDatabase;
let sessions: KeptSessions;
let session: SessionRow;

beforeAll(async () => {
  db = await createTestDatabase();
  sessions = await openKeptSessions(db.database);
  session = { ...(await sessions.keep()), storeName: "High Street" };
});
afterAll(() => db.drop());

/** What is in memory at the same time, batch by batch. */
function readBatches(): Promise<FileRecord[][]> {
  return db.database.transaction().execute(async (transaction) => {
    const batches: FileRecord[][] = [];
    for await (const batch of readContent(transaction, session)) batches.push(batch);
    return batches;
  });
}

test("versions of the certificate, whose lists are long, are read one by one", async () => {
  const certificate = { sessionId: session.id, fingerprint: "", issuedBy: null, issuedAt: new Date() };
  for (const version of [1, 2, 3]) {
    const text = {
      body: `{"version":${version}}`,
      hash: `hash ${version}`,
      items: `["TEE","counted",${version}]`,
    };
    await db.database
      .insertInto("coverageCertificates")
      .values({ ...certificate, ...text, version })
      .execute();
  }
  const batches = (await readBatches()).filter((batch) => batch.some(({ is }) => is === "certificate"));
  expect(batches.map((batch) => batch.map(({ version, items }) => [version, items]))).toEqual([
    [[1, '["TEE","counted",1]']],
    [[2, '["TEE","counted",2]']],
    [[3, '["TEE","counted",3]']],
  ]);
});

test("a search says of a SKU what its row says of it, in the order of SKUs", async () => {
  const { userId } = sessions;
  const list = { sessionId: session.id, number: 1 };
  await db.database
    .insertInto("searchLists")
    .values({ ...list, createdBy: userId })
    .execute();
  const skus = ["NOT-THERE", "LISTED", "BY-HAND", "SCANNED"];
  for (const [place, sku] of skus.entries()) {
    await sessions.item(session.id, sku, { start: 3, end: 3 });
    await db.database
      .insertInto("searchItems")
      .values({ ...list, sku, place })
      .execute();
  }
  for (const sku of ["NOT-THERE", "BY-HAND"]) {
    const answer = { sku, answer: "not_there", answeredBy: userId, deviceId: "phone" } as const;
    await db.database
      .insertInto("searchAnswers")
      .values({ ...list, ...answer })
      .execute();
  }
  await sessions.byHand(session.id, "BY-HAND", 2);
  await sessions.scanned(session.id, "SCANNED", 3);

  const records = (await readBatches()).flat();
  const searches = records.filter(({ is }) => is === "search").map(({ sku, state }) => [sku, state]);
  expect(searches).toEqual([
    ["BY-HAND", "overruled"],
    ["LISTED", "open"],
    ["NOT-THERE", "not_there"],
    ["SCANNED", null],
  ]);
  const rows = records.filter(({ is }) => is === "row").map(({ sku, search = null }) => [sku, search]);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(searches));
});
