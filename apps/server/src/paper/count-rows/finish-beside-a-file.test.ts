import { finishArea, resolveScan, sessionExceptions, storeCountRows } from "@stocktake/contract";
import { expect, test } from "vitest";
import {
  codes,
  countInEachTest,
  countingSlices,
  countsOf,
  firstArea,
  scanTimes,
} from "../../scanning/testing/scene.ts";
import { paperRoutes } from "../routes.ts";

const scene = countInEachTest([...countingSlices, paperRoutes]);
const { jacketS, jacketM } = codes;

/** Three are scanned in the area, and an administrator loads a file with more of it: twenty, unless said otherwise. */
async function countBesideAFile(quantity = "20", code: string = jacketM.input): Promise<void> {
  await scanTimes(scene, 3);
  const rows = [{ row: 2, area: "A1", code, quantity }];
  await scene.server.admin.call(storeCountRows, {
    params: { id: scene.session._id },
    body: { file: "counts.csv", rows },
  });
}

const bodyOf = (declaredTotal: number, knownAccepted?: number) => ({
  body: { ...firstArea(scene), deviceId: "device-1", declaredTotal, knownAccepted },
});

test("a total that is right without a file of counts voids nothing, and says what is counted besides", async () => {
  await countBesideAFile();
  const refusal = await scene.counter.api.refusal(finishArea, bodyOf(3, 0));
  expect(refusal).toMatchObject({ status: 409, code: "COUNT_CHANGED" });
  expect(refusal.error).toBe(
    "20 items that the administrator entered from paper or a file are counted here too. Add what you did not count yourself to your total; " +
      "if you counted the same items, tell the administrator first. Nothing was submitted: finish the area again.",
  );
  expect(await countsOf(scene)).toEqual({ [jacketS.sku]: 3, [jacketM.sku]: 20 });
  expect(await scene.counter.api.call(finishArea, bodyOf(23, 0))).toMatchObject({ matched: true });
});

test("of one item it says so", async () => {
  await countBesideAFile("1");
  const { error } = await scene.counter.api.refusal(finishArea, bodyOf(3, 0));
  expect(error).toMatch(/^1 item that the administrator entered from paper or a file is counted here too\./);
});

test("a row of the file that was accepted since, as the device knows, is no reason to ask", async () => {
  await countBesideAFile("2", codes.unknown.input);
  const params = { id: scene.session._id };
  const { scans } = await scene.server.admin.call(sessionExceptions, { params });
  const [waiting] = scans;
  await scene.server.admin.call(resolveScan, {
    params: { id: waiting?._id ?? "" },
    body: { action: "accept", sku: jacketM.sku },
  });
  expect(await scene.counter.api.call(finishArea, bodyOf(3, 2))).toEqual({ matched: false, serverTotal: 5 });
});

test.each([4, 22, 20])("a total of %i, which is wrong either way, is compared as ever", async (declared) => {
  await countBesideAFile();
  expect(await scene.counter.api.call(finishArea, bodyOf(declared, 0))).toEqual({
    matched: false,
    serverTotal: 23,
  });
  expect(await countsOf(scene)).toEqual({});
});

test("a device that does not know of accepted scans is compared as ever", async () => {
  await countBesideAFile();
  expect(await scene.counter.api.call(finishArea, bodyOf(3))).toMatchObject({ matched: false });
});
