import * as contract from "@stocktake/contract";
import { expect } from "vitest";
import type { Waiting } from "./coverage-oracle.ts";
import type { HistoryRun } from "./history-run.ts";
import { oldPhone, type StepOf } from "./random-steps.ts";

/*
 * What is counted, by phones and on paper, and what is decided of it. Each step resolves to whether there was anything to do.
 */

export async function scan(
  { scene, oracle }: HistoryRun,
  step: Omit<StepOf<"scan">, "act">,
): Promise<boolean> {
  const { area, sku, pending, device } = step;
  const isOld = device === oldPhone;
  const isLate = oracle.ended || oracle.area(area).status === "closed";
  const id = await scene.scan(area, sku ?? "NO-SUCH-CODE", { device, pending, isOld });
  oracle.hearScan(device, pending, isOld);
  if (isLate || sku === null) oracle.waiting.push({ id, area, sku, late: isLate });
  else oracle.area(area).count(sku);
  if (!isLate) oracle.area(area).status = "in_progress";
  return true;
}

/** What nobody may accept, because its area was counted twice or is counted anew, is dismissed. */
export async function decide({ admin, oracle }: HistoryRun, scan: Waiting | undefined, accept: boolean) {
  if (scan === undefined) return false;
  const area = oracle.area(scan.area);
  const canCount = area.second === "none" && (oracle.ended || area.status === "closed" || !scan.late);
  const sku = scan.sku ?? "JK-1000";
  const body = accept && canCount ? { action: "accept" as const, sku } : { action: "dismiss" as const };
  await admin.call(contract.resolveScan, { params: { id: scan.id }, body });
  oracle.waiting = oracle.waiting.filter((other) => other !== scan);
  oracle.done[body.action === "accept" ? "accepted" : "dismissed"] += 1;
  if (body.action === "accept") area.count(sku);
  return true;
}

export async function finish({ scene, oracle }: HistoryRun, drawn: string): Promise<boolean> {
  const code = oracle.areaThat(drawn, ({ status }) => status !== "closed");
  if (code === undefined) return false;
  await scene.finish(code, oracle.area(code).total);
  oracle.area(code).status = "closed";
  return true;
}

/** Ada resets an area that is being counted; an administrator reopens one that is closed. */
export async function beginAnew({ admin, oracle, scene }: HistoryRun, drawn: string): Promise<boolean> {
  const code = oracle.areaThat(drawn, ({ status }) => status !== "not_started");
  if (code === undefined) return false;
  const area = oracle.area(code);
  if (area.status === "closed") {
    const body = { areaId: scene.areaId(code), eraseScans: true as const };
    await admin.call(contract.reopenArea, { body });
  } else await scene.reset(code);
  if (area.second === "open") oracle.samples.become(area.sample, code, "lost");
  if (area.second === "third") oracle.samples.become(area.sample, code, "counted");
  area.reopen();
  oracle.waiting = oracle.waiting.filter((waiting) => waiting.area !== code || waiting.late);
  return true;
}

export async function printSheet(run: HistoryRun, drawn: string): Promise<boolean> {
  const { admin, oracle, params, scene } = run;
  const code = oracle.areaThat(drawn, ({ status }) => status !== "closed");
  if (code === undefined) return false;
  const body = { areaIds: [scene.areaId(code)], order: "title" as const };
  await admin.call(contract.printSheets, { params, body });
  run.sheets += 1;
  oracle.sheetsOut.set(run.sheets, code);
  return true;
}

/** Keys the first sheet that is out, as Ada's count. While its area is closed it stays out. */
export async function keySheet(run: HistoryRun, { sku, units }: StepOf<"key_sheet">): Promise<boolean> {
  const { admin, oracle } = run;
  const [out] = oracle.sheetsOut;
  if (out === undefined) return false;
  const [number, code] = out;
  const others = [{ code: sku ?? "NO-SUCH-CODE", quantity: units }];
  const { bad } = await admin.call(contract.returnSheet, {
    params: { ...run.params, number: String(number) },
    body: { who: "Ada", others },
  });
  const area = oracle.area(code);
  expect(bad.length > 0).toBe(area.status === "closed");
  if (area.status === "closed") return true;
  oracle.sheetsOut.delete(number);
  oracle.done.returned += 1;
  run.meet("sheets keyed");
  area.status = "in_progress";
  if (sku !== null) area.count(sku, units);
  else oracle.waiting.push({ id: await newestWaiting(run), area: code, sku, late: false });
  return true;
}

/** The scan that the oracle has not been told of yet. */
async function newestWaiting({ admin, oracle, params }: HistoryRun): Promise<string> {
  const { scans } = await admin.call(contract.sessionExceptions, { params });
  const fresh = scans.filter(({ _id }) => !oracle.waiting.some(({ id }) => id === _id));
  expect(fresh).toHaveLength(1);
  return fresh[0]?._id ?? "";
}

export async function voidSheet({ admin, oracle, params }: HistoryRun): Promise<boolean> {
  const [number] = oracle.sheetsOut.keys();
  if (number === undefined) return false;
  await admin.call(contract.voidSheet, {
    params: { ...params, number: String(number) },
    body: { reason: "Coffee" },
  });
  oracle.sheetsOut.delete(number);
  oracle.done.void += 1;
  return true;
}
