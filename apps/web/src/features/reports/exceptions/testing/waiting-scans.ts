import {
  decidedExceptions,
  decideExceptions,
  type ExceptionGroup,
  exceptionGroups,
  listAreas,
  listLocations,
  listSessions,
  productMap,
  sessionProgress,
  takeBackDecisions,
} from "@stocktake/contract";
import { admin, area, location, session } from "../../../../testing/examples.ts";
import { FakeServer } from "../../../../testing/fake-server.ts";
import { openPage } from "../../../../testing/open-page.tsx";

/** Three unknown scans of one code, with what a test cares about changed. */
export function group(changes: Partial<ExceptionGroup> = {}): ExceptionGroup {
  return {
    ...{ input: "4006381", inputType: "barcode", status: "unresolved", reasons: ["UNKNOWN_CODE"] },
    ...{ sku: null, productTitle: null, size: null, scans: 3, units: 3 },
    ...{ areas: [{ _id: "area-1", code: "A1", name: "Window" }], areaCount: 1 },
    ...{ people: ["Mia"], peopleCount: 1 },
    ...{ firstScannedAt: "2026-03-01T09:00:00.000Z", lastScannedAt: "2026-03-01T09:10:00.000Z" },
    ...{ acceptable: false, afterEnd: false, before: null, after: null },
    ...{ scanIds: ["11", "12", "13"], lastScanId: "13" },
    ...changes,
  };
}

/** One late scan of a known product. */
export function lateGroup(changes: Partial<ExceptionGroup> = {}): ExceptionGroup {
  return group({
    ...{
      input: "777",
      status: "late",
      reasons: ["SESSION_CLOSED"],
      sku: "LIN-M",
      productTitle: "Linen Shirt",
    },
    ...{ size: "M", scans: 1, units: 1, acceptable: true, scanIds: ["21"], lastScanId: "21" },
    ...changes,
  });
}

function product(sku: string, productTitle: string, size: string | null) {
  return { sku, barcode: null, productTitle, size, image: null, storeId: "store-1" };
}

/** The ids in what a call sent. */
export function sentIds(body: unknown): readonly string[] {
  return Object(body).scanIds ?? [];
}

/** From now on these groups wait, until a decision takes them away and taking it back returns them. */
export function serveWaiting(
  server: FakeServer,
  groups: readonly ExceptionGroup[],
  products = [product("LIN-M", "Linen Shirt", "M"), product("HAT-1", "Hat", null)],
) {
  const settled = new Set<string>();
  const waiting = () =>
    groups.flatMap((each) => {
      const scanIds = each.scanIds.filter((id) => !settled.has(id));
      return scanIds.length === 0 ? [] : [{ ...each, scanIds, scans: scanIds.length }];
    });
  const lists = server.answer(exceptionGroups, () => {
    const listed = waiting();
    const scans = listed.reduce((count, each) => count + each.scans, 0);
    return { groups: listed, devices: [], waiting: scans, next: null, total: listed.length };
  });
  const state = { reason: null, areaId: "area-1", pass: 1 };
  const decisions = server.answer(decideExceptions, ({ body }) => {
    const isAccept = Object(body).action === "accept";
    const scans = sentIds(body).map((_id) => {
      settled.add(_id);
      const sku: string | null = Object(body).sku ?? "LIN-M";
      const status = isAccept ? ("counted" as const) : ("voided" as const);
      return { _id, ...state, status, sku, outcome: "done" as const };
    });
    return { scans };
  });
  const takenBack = server.answer(takeBackDecisions, ({ body }) => ({
    scans: sentIds(body).map((_id) => {
      settled.delete(_id);
      return { _id, ...state, status: "unresolved" as const, sku: null, outcome: "done" as const };
    }),
  }));
  server.answer(decidedExceptions, { scans: [], next: null, total: 0 });
  server.answer(listLocations, { locations: [location()] });
  server.answer(listAreas, { areas: [area()] });
  server.answer(productMap, { products, etag: "1" });
  return { lists, decisions, takenBack };
}

/** Opens the page of a running session whose scans wait. */
export function openWaiting(groups: readonly ExceptionGroup[], products?: ReturnType<typeof product>[]) {
  const server = new FakeServer(admin);
  server.answer(listSessions, { sessions: [session({ _id: "running", status: "active", endedAt: null })] });
  server.answer(sessionProgress, { areas: [], devices: [], exceptions: { unresolved: 0, late: 0 } });
  const calls = serveWaiting(server, groups, products);
  openPage("/admin/sessions/running/exceptions");
  return { server, ...calls };
}

/** Three unknown scans of each of ten codes. */
export const tenCodes = Array.from({ length: 10 }, (_none, index) => {
  const scanIds = [1, 2, 3].map((scan) => String(index * 10 + scan));
  return group({ input: `code-${index}`, scanIds, lastScanId: scanIds[2] ?? "" });
});
export const tenProducts = tenCodes.map((_code, index) => product(`SKU-${index}`, `Product ${index}`, null));
