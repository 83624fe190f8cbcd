import { expect, it } from "vitest";
import { beginReport } from "../outbox/queue-reports.ts";
import { areaOne, createEngineHarness, type EngineHarness } from "../testing/engine-harness.ts";
import { exportQueue, readQueueFile } from "./saved-queue.ts";

async function save(harness: EngineHarness) {
  const { text } = await exportQueue(harness.database, "device-1", harness.clock.now());
  return readQueueFile(text);
}

it("S21: the file includes refused rows, not acknowledged ones", async () => {
  const harness = await createEngineHarness();
  await harness.scan("sent");
  await harness.run();
  harness.server.missingAreas.add("GONE");
  await harness.scan("refused", { ...areaOne, areaCode: "GONE" });
  await harness.run();
  await harness.scan("unsent");
  const file = await save(harness);
  expect(file?.refused.scans.map(({ input }) => input)).toEqual(["refused"]);
  expect(file?.unsent.scans.map(({ input }) => input)).toEqual(["unsent"]);
});

it("S21: an undo refers to its scan by the number that the server has", async () => {
  const harness = await createEngineHarness();
  const { id: targetId, seq: targetSeq } = await harness.scan("one");
  const body = { error: "Taken.", code: "SEQ_CONFLICT", nextSeq: 40 };
  harness.server.faults.push({ kind: "answers", status: 409, body });
  await harness.run();
  await harness.operate({ kind: "undo", area: areaOne, targetId, targetSeq });
  expect((await save(harness))?.unsent.operations).toMatchObject([{ kind: "undo", targetSeq: 40 }]);
});

it("S21, S16: the undo of a scan that the server has refused is left out: by its number another's scan would be undone", async () => {
  const harness = await createEngineHarness();
  harness.server.missingAreas.add("GONE");
  const gone = { ...areaOne, areaCode: "GONE" };
  const refused = await harness.scan("refused", gone);
  const sent = await harness.scan("sent");
  await harness.run();
  await harness.operate({ kind: "undo", area: gone, targetId: refused.id, targetSeq: refused.seq });
  await harness.operate({ kind: "undo", area: areaOne, targetId: sent.id, targetSeq: sent.seq });
  const file = await save(harness);
  expect([...(file?.unsent.scans ?? []), ...(file?.refused.scans ?? [])]).toEqual([]);
  expect(file?.unsent.operations).toMatchObject([{ kind: "undo", targetId: sent.id }]);
});

it("S21, S18: a reset and a finish are in the file with who made them", async () => {
  const harness = await createEngineHarness();
  await harness.operate({ kind: "reset", area: areaOne, madeById: "user-2" });
  await harness.operate({
    kind: "finish",
    area: { ...areaOne, pass: 2 },
    declaredTotal: 0,
    madeById: "user-2",
  });
  await harness.operate({ kind: "reset", area: { ...areaOne, pass: 3 } });
  const made = (await save(harness))?.unsent.operations ?? [];
  expect(made.map((operation) => "madeById" in operation && operation.madeById)).toEqual([
    "user-2",
    "user-2",
    false,
  ]);
});

it("S21, S10: the file has the number of the last report of the queue, 0 where none was made", async () => {
  const harness = await createEngineHarness();
  await harness.scan("one");
  expect((await save(harness))?.lastReport).toBe(0);
  await harness.scan("two");
  const told = await beginReport(harness.database, { ...areaOne, deviceId: "device-1", pending: 2 }, 700);
  expect((await save(harness))?.lastReport).toBe(told?.pendingOrder);
});

it.each(["", "{}", '{"format":"stocktake-queue","version":2}', "[1"])(
  "S21: anything else is not read as a saved queue: %s",
  (text) => {
    expect(readQueueFile(text)).toBeNull();
  },
);

it("S21: the queue can be saved as a file with every row that the server does not have", async () => {
  const harness = await createEngineHarness();
  await harness.scan("sent");
  await harness.run();
  await harness.scan("unsent");
  const file = await exportQueue(harness.database, "device-1", harness.clock.now());
  expect(file.name).toBe("stocktake-queue-2026-03-01T08-00-00.json");
  expect(file.text).toContain('"unsent"');
  expect(JSON.parse(file.text).unsent.scans).toHaveLength(1);
  expect(JSON.parse(file.text).unsent.scans[0]).toMatchObject({ input: "unsent" });
});
