import { randomUUID } from "node:crypto";
import { exceptionGroups, resolveScan, sessionExceptions, undoScan } from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { finishFirstArea } from "../testing/endings.ts";
import { codes, countInEachTest, countsOf, scan } from "../testing/scene.ts";

const scene = countInEachTest();
const { jacketS, jacketM } = codes;
const ofSession = () => ({ params: { id: scene.session._id } });

/** ×N on the phone: so many of the product in the place of a scan that it names. */
const inPlaceOf = (place: { replaces?: string; replacesSeq?: number }, seq: number, quantity: number) => ({
  ...({ input: jacketS.sku, inputType: "sku", method: "manual" } as const),
  ...{ seq, quantity, opId: randomUUID(), ...place },
});

const undo = (seq: number) =>
  scene.counter.api.send(undoScan, {
    body: {
      ...{ sessionId: scene.session._id, deviceId: "device-1", areaCode: "A1" },
      ...{ seq, opId: randomUUID() },
    },
  });

async function waiting() {
  const { scans } = await scene.server.admin.call(sessionExceptions, ofSession());
  return scans;
}

/** One sock is counted and the area closed before the undo of ×48 and its scan arrive. */
async function lateTimes48(place: "operation" | "number" = "operation") {
  const opId = randomUUID();
  await scan(scene, { seq: 1, opId });
  await finishFirstArea(scene, 1, { deviceId: "device-2" });
  expect(await undo(1)).toMatchObject({ status: 409, body: { code: "AREA_CLOSED" } });
  const named = place === "operation" ? { replaces: opId } : { replacesSeq: 1 };
  const many = await scan(scene, inPlaceOf(named, 2, 48));
  expect(many).toMatchObject({ status: "late", reason: "AREA_CLOSED" });
  return many;
}

describe("a late scan of ×N (S33)", () => {
  test.each(["operation", "number"] as const)(
    "says how many units count already of the scan that it names by its %s, and changes nothing by itself",
    async (place) => {
      const { scan: many } = await lateTimes48(place);
      expect(await waiting()).toMatchObject([{ quantity: 48, replacedUnits: 1 }]);
      const { groups } = await scene.server.admin.call(exceptionGroups, ofSession());
      expect(groups).toMatchObject([{ units: 48, replacedUnits: 1 }]);
      expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 1 });
      await scene.server.admin.call(resolveScan, { params: { id: many._id }, body: { action: "accept" } });
      expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 49 });
    },
  );

  test("says so of the first, however often ×N was pressed before the network was back", async () => {
    await lateTimes48();
    expect(await undo(2)).toMatchObject({ status: 409, body: { code: "AREA_CLOSED" } });
    await scan(scene, inPlaceOf({ replacesSeq: 2 }, 3, 12));
    expect(await waiting()).toMatchObject([{ quantity: 12, replacedUnits: 1 }]);
  });

  test("says nothing of a scan that counts no longer, nor does any other scan that waits", async () => {
    const opId = randomUUID();
    await scan(scene, { seq: 1, opId });
    await undo(1);
    await scan(scene, { seq: 3, input: jacketM.input });
    await finishFirstArea(scene, 1, { deviceId: "device-2" });
    await scan(scene, inPlaceOf({ replaces: opId }, 2, 48));
    await scan(scene, { seq: 4, input: jacketM.input });
    expect((await waiting()).map(({ replacedUnits }) => replacedUnits)).toEqual([0, 0]);
  });

  test("of which thousands name one another is read as fast as others", async () => {
    await lateTimes48();
    await scene.server.database.pool.query(
      `insert into scans (session_id, store_id, location_id, area_id, pass, device_id, seq, op_id, input, input_type, method, quantity,
         sku, status, reason, scanned_at, scanned_by, sent_by, replaces_seq)
       select session_id, store_id, location_id, area_id, pass, device_id, number, gen_random_uuid(), input, input_type, method,
         1, sku, status, reason, scanned_at, scanned_by, sent_by, number - 1
       from scans, generate_series(3, 5000) number where session_id = $1 and seq = 2 and device_id = 'device-1'`,
      [scene.session._id],
    );
    const { groups } = await scene.server.admin.call(exceptionGroups, ofSession());
    expect(groups).toMatchObject([{ scans: 4_999, replacedUnits: 1 }]);
  });
});
