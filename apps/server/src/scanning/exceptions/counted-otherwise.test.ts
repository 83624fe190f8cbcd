import { decideExceptions, exceptionGroups, passOfNoCount, resolveScan } from "@stocktake/contract";
import { epcOf } from "@stocktake/testkit/epc";
import { describe, expect, test } from "vitest";
import { reopenFirstArea, restoreFirstArea } from "../testing/endings.ts";
import { areaRow, codes, countInEachTest, countsOf, type ScanReply, scan } from "../testing/scene.ts";
import {
  askAgain,
  choose,
  countInTurn,
  countShelf,
  differencesOf,
  joinAs,
} from "../testing/second-counts.ts";

const scene = countInEachTest();
const { jacketS, jacketM } = codes;

async function acceptAll(...replies: readonly ScanReply[]) {
  const body = { action: "accept" as const, scanIds: replies.map((reply) => reply.scan._id) };
  const params = { id: scene.session._id };
  const { scans } = await scene.server.admin.call(decideExceptions, { params, body });
  return scans.map(({ outcome, status }) => [outcome, status]);
}

async function refusal({ scan: { _id: id } }: ScanReply) {
  const body = { action: "accept" as const };
  const { status, code, error } = await scene.server.admin.refusal(resolveScan, { params: { id }, body });
  return { status, code, error };
}

/** What the list says of scans that wait, as far as second counts go. */
async function waiting() {
  const { groups } = await scene.server.admin.call(exceptionGroups, { params: { id: scene.session._id } });
  return groups.map(({ scans, ofSecondCounts, acceptable }) => ({ scans, ofSecondCounts, acceptable }));
}

const tagOf = ({ scan: { _id: id } }: ScanReply) =>
  scene.server.database.database
    .selectFrom("scans")
    .select("tag")
    .where("id", "=", Number(id))
    .executeTakeFirstOrThrow();

describe("S43: a late scan is not accepted where a second count has counted its item", () => {
  const counted = { jacketS: 8, jacketM: 5 } as const;

  test("as it came for the second count and too late", async () => {
    await countShelf(scene, await joinAs(scene, "Ada"), counted);
    const ben = await joinAs(scene, "Ben");
    const { pass } = await askAgain(scene);
    await countShelf(scene, ben, counted);
    const late = await scan(scene, { seq: 90, deviceId: "device-of-Ben", pass }, ben.api);
    const afterReset = { seq: 91, deviceId: "device-of-Ben", pass: passOfNoCount };
    const ofNone = await scan(scene, afterReset, ben.api);
    const own = await scan(scene, { seq: 92, areaCode: "A2", pass: passOfNoCount }, ben.api);
    expect(await waiting()).toEqual([{ scans: 3, ofSecondCounts: 2, acceptable: true }]);
    expect(await acceptAll(own)).toEqual([["done", "counted"]]);
    expect(await waiting()).toEqual([{ scans: 2, ofSecondCounts: 2, acceptable: false }]);
    expect(await acceptAll(late, ofNone)).toEqual([
      ["of_second_count", "late"],
      ["of_second_count", "late"],
    ]);
    expect(await refusal(late)).toEqual({
      ...{
        status: 409,
        code: "SECOND_COUNT_MADE",
        error: expect.stringContaining("too late for a second count"),
      },
    });
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 9, [jacketM.sku]: 5 });
  });

  test("as the second count's figure has taken the place of the first's", async () => {
    const ada = await joinAs(scene, "Ada");
    await countShelf(scene, ada, counted);
    await askAgain(scene);
    for (const name of ["Ben", "Cleo"]) {
      await countShelf(scene, await joinAs(scene, name), { ...counted, jacketS: 7 });
    }
    const { pass } = await areaRow(scene);
    const ofAda = { deviceId: "device-of-Ada", pass };
    const settled = await scan(scene, { ...ofAda, seq: 90 }, ada.api);
    const equal = await scan(scene, { ...ofAda, seq: 91, input: jacketM.input }, ada.api);
    expect(await waiting()).toEqual([
      { scans: 1, ofSecondCounts: 1, acceptable: false },
      { scans: 1, ofSecondCounts: undefined, acceptable: true },
    ]);
    expect(await acceptAll(settled, equal)).toEqual([
      ["of_second_count", "late"],
      ["done", "counted"],
    ]);
    expect(await refusal(settled)).toEqual({
      ...{
        status: 409,
        code: "SECOND_COUNT_MADE",
        error: expect.stringContaining("the first count of this product no longer counts"),
      },
    });
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 7, [jacketM.sku]: 6 });
  });
});

describe("S43: a late scan is not accepted in a count that a second count's scans are part of", () => {
  /** The second count's 7 count in place of Ada's 5, and one more that Dora scans once that is restored; another of Ada's comes too late. */
  async function lateInQuestion(): Promise<ScanReply> {
    await countInTurn(scene, [{ jacketS: 5 }, { jacketS: 7 }, { jacketS: 7 }]);
    const { pass: counted } = await areaRow(scene);
    await reopenFirstArea(scene);
    const { pass } = await restoreFirstArea(scene, counted);
    await countShelf(scene, await joinAs(scene, "Dora"), { jacketS: 1 }, 8);
    const ada = await joinAs(scene, "Ada");
    return scan(scene, { deviceId: "device-of-Ada", seq: 90, pass }, ada.api);
  }

  test.each(["in question", "settled as what counts now"])("which is %s", async (how) => {
    const late = await lateInQuestion();
    const [open] = await differencesOf(scene);
    expect(open).toMatchObject({ first: 8, second: 7, third: 7, settledAs: null });
    if (open !== undefined && how !== "in question") await choose(scene, open, "first");
    expect(await waiting()).toEqual([{ scans: 1, ofSecondCounts: 1, acceptable: false }]);
    expect(await acceptAll(late)).toEqual([["of_second_count", "late"]]);
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 8 });
  });
});

describe("S42: the late read of a tag", () => {
  const tag = epcOf(jacketS.input, 1);

  /** A read for a pass that the area never had. */
  async function readLate(seq: number, areaCode = "A1") {
    return scan(scene, { seq, input: tag, areaCode, pass: (await areaRow(scene)).pass + 5 });
  }

  test("is not accepted where the item counts already, and the refusal says in which area", async () => {
    await scan(scene, { seq: 1, input: tag });
    const late = await readLate(2, "A2");
    expect(await refusal(late)).toEqual({
      status: 409,
      code: "TAG_COUNTED",
      error:
        "The item with this RFID tag counts already in area A1. Dismiss this scan: accepted, it would count twice.",
    });
    expect(await acceptAll(late)).toEqual([["tag_counted", "late"]]);
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
  });

  test("counts once of two that are accepted together", async () => {
    const [first, second] = [await readLate(1), await readLate(2, "A2")];
    expect(await acceptAll(second, first)).toEqual([
      ["done", "counted"],
      ["tag_counted", "late"],
    ]);
    expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
  });

  test("stored by a release that knew no tags is known by its tag once it is accepted", async () => {
    const unknown = await scan(scene, { seq: 1, input: codes.unknown.input });
    await scene.server.database.database
      .updateTable("scans")
      .set({ input: tag })
      .where("id", "=", Number(unknown.scan._id))
      .execute();
    expect(await tagOf(unknown)).toEqual({ tag: null });
    expect(await acceptAll(unknown)).toEqual([["done", "counted"]]);
    expect(await tagOf(unknown)).toEqual({ tag: expect.any(String) });
  });
});
