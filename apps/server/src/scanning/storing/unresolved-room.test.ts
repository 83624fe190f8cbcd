import { randomUUID } from "node:crypto";
import {
  cancelSecondCount,
  limits,
  postScan,
  postScanBatch,
  resolveScan,
  sessionExceptions,
  sessionProgress,
} from "@stocktake/contract";
import { epcOf } from "@stocktake/testkit/epc";
import { describe, expect, test } from "vitest";
import { join, type TestCounter } from "../../testing/scenes.ts";
import { codes, countInEachTest, endAtOnce, scanBody } from "../testing/scene.ts";
import { askAgain, finishAs, joinAs } from "../testing/second-counts.ts";
import { putWaiting, type WaitingScans } from "../testing/waiting.ts";

const scene = countInEachTest();
const [unknown, known] = [codes.unknown.input, codes.jacketS.input];
let seq = 1_000_000;

const fill = (counter: TestCounter, count: number, changes: Partial<WaitingScans> = {}) =>
  putWaiting(scene, counter, { count, pass: 2, ...changes });

const next = (changes: Parameters<typeof scanBody>[1]) => {
  seq += 1;
  return scanBody(scene, { seq, opId: randomUUID(), ...changes });
};

async function send(scans: readonly ReturnType<typeof scanBody>[], api = scene.counter.api) {
  const { results } = await api.call(postScanBatch, { body: { scans: [...scans] } });
  return results.map((result) => ("code" in result ? result.code : `${result.httpStatus} ${result.status}`));
}

const countWaiting = async () =>
  (await scene.server.admin.call(sessionProgress, { params: { id: scene.session._id } })).exceptions
    .unresolved;

describe("with as many unresolved scans as one person may leave", () => {
  test("another one is refused for good and not stored, while what counts beside it is stored", async () => {
    await fill(scene.counter, limits.unresolvedPerPerson - 1);
    const scans = [unknown, unknown, known, codes.shared.input, known].map((input) => next({ input }));
    const nowhere = next({ input: unknown, areaCode: "Z9" });
    const refused = "TOO_MANY_UNRESOLVED";
    expect(await send([...scans, nowhere])).toEqual([
      ...["201 unresolved", refused, "201 counted", refused, "201 counted", "NOT_FOUND"],
    ]);
    expect(await countWaiting()).toBe(limits.unresolvedPerPerson);
    const alone = await scene.counter.api.refusal(postScan, { body: next({ input: unknown }) });
    expect(alone).toMatchObject({ status: 409, code: refused });
    expect(alone.error).toContain("It was not stored; it is kept on the device.");
  });

  test("the repeat of one that was stored is still its repeat, in a later call and in the same", async () => {
    await fill(scene.counter, limits.unresolvedPerPerson - 1);
    const last = next({ input: unknown });
    expect(await send([last, last])).toEqual(["201 unresolved", "200 unresolved"]);
    expect(await send([last, next({ input: unknown })])).toEqual(["200 unresolved", "TOO_MANY_UNRESOLVED"]);
  });

  test("S41: a read of a tag that is refused stands for nothing: the next read of it is not set aside for it", async () => {
    await fill(scene.counter, limits.unresolvedPerPerson - 1);
    const tag = epcOf("9780306406157", 7);
    const reads = ["reader-1", "reader-2"].map((deviceId) => next({ input: tag, deviceId }));
    const refused = "TOO_MANY_UNRESOLVED";
    expect(await send([next({ input: unknown }), ...reads])).toEqual(["201 unresolved", refused, refused]);
    const { scans } = await scene.server.admin.call(sessionExceptions, {
      params: { id: scene.session._id },
      query: { limit: "1" },
    });
    const params = { id: scans[0]?._id ?? "" };
    await scene.server.admin.call(resolveScan, { params, body: { action: "dismiss" } });
    expect(await send(reads.toReversed())).toEqual(["201 unresolved", "201 voided"]);
    expect(await countWaiting()).toBe(limits.unresolvedPerPerson);
  });

  test("others go on, whoever is named as having scanned, and so does the person once some are decided", async () => {
    await fill(scene.counter, limits.unresolvedPerPerson);
    const other = await join(scene.server, scene.session, { name: "Bea" });
    const named = next({ input: unknown, scannedById: other.userId });
    expect(await send([named])).toEqual(["TOO_MANY_UNRESOLVED"]);
    expect(await send([next({ input: unknown, scannedById: scene.counter.userId })], other.api)).toEqual([
      "201 unresolved",
    ]);
    expect(await send([next({ input: unknown })], scene.server.admin)).toEqual(["201 unresolved"]);
    const page = { params: { id: scene.session._id }, query: { limit: "1" } };
    const { scans } = await scene.server.admin.call(sessionExceptions, page);
    const params = { id: scans[0]?._id ?? "" };
    await scene.server.admin.call(resolveScan, { params, body: { action: "dismiss" } });
    expect(await send([next({ input: unknown })])).toEqual(["201 unresolved"]);
  });
});

test("unknown codes of a second count take up room until it is over, and never that of known products", async () => {
  await finishAs(scene, scene.counter, 0, 2);
  const { pass } = await askAgain(scene);
  const ben = await joinAs(scene, "Ben");
  await fill(ben, limits.unresolvedPerPerson, { pass, status: "compared" });
  expect(await send([next({ input: unknown, pass }), next({ input: known, pass })], ben.api)).toEqual([
    "TOO_MANY_UNRESOLVED",
    "201 counted",
  ]);
  const body = { areaId: scene.store.areas[0]?.id ?? "" };
  await scene.server.admin.call(cancelSecondCount, { body });
  expect(await send([next({ input: unknown, areaCode: "A2" })], ben.api)).toEqual(["201 unresolved"]);
});

test("with as many as a session may have nobody can add one, not even late, and every list still comes in pages", async () => {
  const others = await Promise.all(
    ["Bea", "Cem", "Dan", "Eve"].map((name) => join(scene.server, scene.session, { name })),
  );
  for (const other of others) await fill(other, limits.unresolvedPerSession / 4);
  const late = { pass: 1_000 };
  expect(
    await send([
      next({ input: unknown }),
      next({ input: unknown, ...late }),
      next({ input: known, ...late }),
    ]),
  ).toEqual(["TOO_MANY_UNRESOLVED", "TOO_MANY_UNRESOLVED", "201 late"]);
  expect(await send([next({ input: unknown })], scene.server.admin)).toEqual(["TOO_MANY_UNRESOLVED"]);
  const page = await scene.server.admin.call(sessionExceptions, { params: { id: scene.session._id } });
  expect(page).toMatchObject({ total: limits.unresolvedPerSession + 1, next: expect.any(String) });
  expect(page.scans).toHaveLength(limits.itemsPerPage);
});

test("of an archived session, whose products are in the file, every scan has room: what it is shows when the session is back", async () => {
  await fill(scene.counter, limits.unresolvedPerSession, { status: "late" });
  await endAtOnce(scene);
  const late = () => send([next({ input: known }), next({ input: unknown })]);
  expect(await late()).toEqual(["201 late", "TOO_MANY_UNRESOLVED"]);
  await scene.server.database.pool.query(
    `insert into session_archives (session_id, file_name, manifest_hash, units, skus) values ($1, 'a', repeat('0', 64), 0, 0)`,
    [scene.session._id],
  );
  expect(await late()).toEqual(["201 late", "201 late"]);
});
