import { finishArea, postScanBatch } from "@stocktake/contract";
import { emulatorControl } from "@stocktake/shopify-emulator";
import type { ApiClient } from "@stocktake/testkit";
import type { Floor } from "../rehearsal/counter.ts";
import { endAndWait, inviteCounter } from "../rehearsal/store-floor.ts";

/** Every so many products are found once, the others not at all: a report with something to say. */
const foundEvery = 2;

/** Counts an area and ends the session, so that there is a report. */
export async function countAndEnd(
  admin: ApiClient,
  floor: Floor,
  areaCode: string,
  shopUrl: string,
): Promise<void> {
  const counter = await inviteCounter(admin, floor, "before");
  const { variants } = await emulatorControl(shopUrl).snapshot();
  const codes = variants.flatMap(({ barcode }, index) =>
    barcode === null || index % foundEvery !== 0 ? [] : [barcode],
  );
  const common = {
    ...floor,
    areaCode,
    deviceId: "device-before",
    inputType: "barcode",
    method: "scan",
  } as const;
  const scans = codes.slice(0, 400).map((input, index) => ({ ...common, input, seq: index + 1 }));
  const { results } = await counter.call(postScanBatch, { body: { scans } });
  const declaredTotal = results.filter((each) => "scan" in each && each.status === "counted").length;
  const { sessionId, locationId } = floor;
  await counter.call(finishArea, {
    body: { sessionId, locationId, areaCode, deviceId: "device-before", declaredTotal },
  });
  await endAndWait(admin, sessionId);
}
