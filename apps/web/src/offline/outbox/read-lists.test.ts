import { expect, it } from "vitest";
import { declinesUntilHeld, type PendingScan } from "../database/records.ts";
import { areaOne, createEngineHarness } from "../testing/engine-harness.ts";
import {
  readDeclined,
  readLeft,
  readNotCounted,
  readPass,
  readRefusedUndos,
  readSetAside,
  withId,
} from "./read.ts";

const refusal = { httpStatus: 404, code: "NOT_FOUND", error: "Not found." };
const areaTwo = { ...areaOne, areaId: "area-2", areaCode: "A2" };

it("S22: what was shown as counted and waits for an administrator is listed, newest first", async () => {
  const { database, scan } = await createEngineHarness();
  const put = async (input: string, change: Partial<PendingScan>) =>
    database.put("pendingScans", { ...(await scan(input)), ...change });
  const late = { acknowledgement: { status: "late", reason: "AREA_CLOSED" } } as const;
  const open = { acknowledgement: { status: "unresolved", reason: "AMBIGUOUS_CODE" } } as const;
  await put("late", late);
  await put("open", open);
  await put("counted", { acknowledgement: { status: "counted", reason: null } });
  await put("unsent", {});
  await put("undone", { ...late, undone: true });
  await put("shown as unknown", { ...open, localOutcome: "unresolved" });
  expect((await readNotCounted(database)).map(({ input }) => input)).toEqual(["open", "late"]);
});

it("a screen is rebuilt from the rows of its session, area and pass", async () => {
  const { database, operate, scan } = await createEngineHarness();
  const others = [{ ...areaOne, pass: 2 }, areaTwo, { ...areaOne, sessionId: "session-2" }];
  for (const area of [areaOne, ...others]) {
    await scan(`in ${area.sessionId} ${area.areaId} ${area.pass}`, area);
    await operate({ kind: "finish", area, declaredTotal: 1 });
  }
  const { scans, operations } = await readPass(database, "session-1", "area-1", 1);
  expect(scans.map(({ input }) => input)).toEqual(["in session-1 area-1 1"]);
  expect(operations.map(({ id }) => id)).toEqual([1]);
});

it("S13: a refused finish is listed with the refused scans, in the order of each list", async () => {
  const { database, operate, scan } = await createEngineHarness();
  for (const input of ["one", "two"]) await database.put("pendingScans", { ...(await scan(input)), refusal });
  await scan("waits");
  const finish = await operate({ kind: "finish", area: areaOne, declaredTotal: 1 });
  await database.put("pendingSubmissions", { ...finish, refusal });
  await operate({ kind: "reset", area: areaOne });
  const { scans, operations } = await readSetAside(database);
  expect(scans.map(({ input }) => input)).toEqual(["one", "two"]);
  expect(operations.map(({ kind }) => kind)).toEqual(["finish"]);
});

it("S32: each area that waits is listed once, with the first that was declined, how much waits behind it, and whether it waits alone", async () => {
  const { database, operate, scan } = await createEngineHarness();
  const declined = { refusal, times: 1 };
  await scan("before");
  await operate({ kind: "reset", area: areaTwo });
  const first = await operate({ kind: "reset", area: areaOne });
  const second = await operate({ kind: "finish", area: areaOne, declaredTotal: 0 });
  for (const row of [first, second]) await database.put("pendingSubmissions", { ...row, declined });
  await scan("since");
  await scan("other area", areaTwo);
  for (const input of ["other session", "other session too"])
    await scan(input, { ...areaOne, sessionId: "session-2" });
  const inSessionTwo = await operate({ kind: "reset", area: { ...areaOne, sessionId: "session-2" } });
  const often = { refusal, times: declinesUntilHeld };
  await database.put("pendingSubmissions", { ...inSessionTwo, declined: often });
  expect(await readDeclined(database)).toEqual([
    { row: { ...first, declined }, refusal, behind: 2, isHeld: false },
    { row: { ...inSessionTwo, declined: often }, refusal, behind: 0, isHeld: true },
  ]);
});

it("S16, S31: undos that were refused and operations that were left are listed for a person", async () => {
  const { database, operate } = await createEngineHarness();
  const undo = { kind: "undo", area: areaOne, targetId: null, targetSeq: 1 } as const;
  const refused = await operate(undo);
  await database.put("pendingSubmissions", { ...refused, refusal });
  const left = await operate({ kind: "reset", area: areaOne });
  await database.put("pendingSubmissions", { ...left, isLeft: true });
  const again = await operate({ kind: "reset", area: areaOne });
  await database.put("pendingSubmissions", { ...again, isLeft: false });
  await operate(undo);
  expect((await readRefusedUndos(database)).map(({ id }) => id)).toEqual([refused.id]);
  expect((await readLeft(database)).map(({ id }) => id)).toEqual([left.id]);
});

it("a row without an id is none of ours", () => {
  expect(() => withId({})).toThrow("A row of the outbox has no id.");
  expect(withId({ id: 0 })).toEqual({ id: 0 });
});
