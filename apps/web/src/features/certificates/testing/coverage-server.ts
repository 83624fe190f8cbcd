import {
  type CallAnswer,
  type CoveredArea,
  type CoveredDevice,
  listBeyondTolerance,
  listCertificates,
  listCoveredAreas,
  listCoveredDevices,
  listSessions,
  listUncoveredStock,
  readCoverage,
} from "@stocktake/contract";
import { admin, session } from "../../../testing/examples.ts";
import { FakeServer } from "../../../testing/fake-server.ts";

export const ended = session();

export function area(code: string, changes: Partial<CoveredArea>): CoveredArea {
  return {
    area: { _id: `area-${code}`, code, name: code, locationName: "Sales Floor" },
    ...{ state: "not_counted", counted: false, cutOff: false, said: [] },
    ...changes,
  };
}

export function device(deviceId: string, changes: Partial<CoveredDevice>): CoveredDevice {
  const unheard = { state: "never_heard" as const, pending: null, heardAt: null, said: null };
  return { deviceId, username: "Edda", openedAt: "2026-03-02T09:00:00.000Z", ...unheard, ...changes };
}

export const openDevices = [
  device("phone-000001", {}),
  device("phone-000002", { state: "scans_alone", heardAt: "2026-03-02T09:30:00.000Z" }),
  device("phone-000003", { state: "holds", pending: 4, heardAt: "2026-03-02T09:30:00.000Z" }),
];

export const row = {
  ...{ sku: "TEE-M", productTitle: "Tern Tee", size: "M", vendor: "Linden Quay", productType: "Tee" },
  ...{ onHand: 4, leftAlone: null },
};

/** A server whose session leaves that open. */
export function coverageServer(coverage: CallAnswer<typeof readCoverage>, of = ended): FakeServer {
  const server = new FakeServer(admin);
  server.answer(listSessions, { sessions: [of] });
  server.answer(readCoverage, coverage);
  server.answer(listCertificates, { certificates: [], next: null, total: 0 });
  server.answer(listCoveredAreas, ({ query }) => ({
    areas:
      query.which === "open"
        ? [area("A2", { state: "empty_once" }), area("A3", {}), area("A4", { counted: true })]
        : [],
    ...{ next: null, total: 3 },
  }));
  server.answer(listCoveredDevices, ({ query }) => ({
    devices: query.which === "open" ? openDevices : [],
    ...{ next: null, total: 3 },
  }));
  server.answer(listBeyondTolerance, { rows: [], next: null, total: 0 });
  server.answer(listUncoveredStock, ({ query }) => ({
    rows: query.state === "open" ? [row] : [],
    ...{ next: null, total: 1 },
  }));
  return server;
}
