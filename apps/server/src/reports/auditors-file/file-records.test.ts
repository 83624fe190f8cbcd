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
