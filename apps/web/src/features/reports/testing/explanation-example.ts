import type { CallAnswer, ExplainedScan, explainRow } from "@stocktake/contract";
import { reportItem } from "../../../testing/examples.ts";

type Explanation = CallAnswer<typeof explainRow>;

export function explainedScan(changes: Partial<ExplainedScan> = {}): ExplainedScan {
  return {
    _id: "scan-1",
    areaId: "area-1",
    pass: 2,
    deviceId: "device-7",
    seq: 4,
    username: "Mia",
    input: "4000000000105",
    inputType: "barcode",
    method: "scan",
    quantity: 1,
    status: "counted",
    reason: null,
    scannedAt: "2026-03-01T14:02:00.000Z",
    timeKnown: true,
    receivedAt: "2026-03-01T14:02:01.000Z",
    voidedAt: null,
    voidedBy: null,
    resolvedAt: null,
    resolvedBy: null,
    before: null,
    after: null,
    ...changes,
  };
}

/** Three were scanned, one of them after another was undone; then one was sold. */
export function explanation(changes: Partial<Explanation> = {}): Explanation {
  const item = reportItem({
    ...{ sku: "LIN-S", size: "S", startOnHand: 3, endOnHand: 2, naturalMovement: -1 },
    ...{ counted: 3, variance: 1, varianceAtCount: { low: 0, high: 0 } },
  });
  const undone = {
    ...({ status: "voided", reason: "UNDONE" } as const),
    ...{ voidedAt: "2026-03-01T14:03:00.000Z", voidedBy: { username: "Mia" } },
  };
  return {
    item,
    startedAt: "2026-03-01T08:00:00.000Z",
    endedAt: "2026-03-01T18:00:00.000Z",
    currency: "USD",
    passes: [
      {
        area: { _id: "area-1", code: "A1", name: "Window", location: "Sales Floor" },
        ...{ pass: 2, endedAs: "closed", endedAt: "2026-03-01T15:00:00.000Z", endedBy: { username: "Mia" } },
        ...{ units: 3, leftOut: 1 },
        counters: [
          {
            ...{ username: "Mia", deviceId: "device-7", scans: 2, units: 3, leftOut: 1 },
            ...{ firstAt: "2026-03-01T14:02:00.000Z", lastAt: "2026-03-01T14:04:00.000Z", unknownTimes: 0 },
          },
        ],
      },
    ],
    scanned: 3,
    counts: [],
    parts: {
      ...{ fromStart: 0, naturalMovement: -1, variance: 1 },
      ...{ afterCount: { low: 1, high: 1 }, atCount: { low: 0, high: 0 } },
    },
    readings: [
      { at: "2026-03-01T08:00:00.000Z", onHand: 3, kind: "start" },
      { at: "2026-03-01T14:07:00.000Z", onHand: 2, kind: "during" },
      { at: "2026-03-01T18:00:00.000Z", onHand: 2, kind: "end" },
    ],
    otherCounts: [],
    costFrom: "end",
    mark: null,
    deploy: {
      ...{ basis: "end", variance: { low: 1, high: 1 }, moved: 0, movedByOthers: 0, wouldMove: 1 },
      ...{ skipReason: null, rows: [] },
    },
    scans: [
      explainedScan({ _id: "scan-1", ...undone }),
      explainedScan({ _id: "scan-2", seq: 5, quantity: 3, scannedAt: "2026-03-01T14:04:00.000Z" }),
    ],
    next: null,
    total: 2,
    ...changes,
  };
}
