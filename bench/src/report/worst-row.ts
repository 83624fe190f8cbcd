import type { CallAnswer, ExplainedPass, ExplainedScan, explainRow, ReportItem } from "@stocktake/contract";

const passes = 200;
const scans = 50;
/** Sales between the scans that are shown; with all of them the drawer is not complete, and shows as many as came before its last scan. */
const readings = 400;

const timeAt = (seconds: number) => new Date(Date.UTC(2026, 2, 1, 8) + seconds * 1_000).toISOString();

function passAt(index: number): ExplainedPass {
  const location = index % 2 === 0 ? "Sales Floor" : "Stockroom";
  return {
    area: { _id: `area-${index}`, code: `A${index}`, name: `Shelf ${index}`, location },
    ...{
      pass: 2,
      endedAs: "closed",
      endedAt: timeAt(9_000),
      endedBy: { username: "Mia" },
      units: 5,
      leftOut: 0,
    },
    counters: [
      {
        ...{ username: "Mia", deviceId: `device-${index}`, scans: 5, units: 5, leftOut: 0, unknownTimes: 0 },
        ...{ firstAt: timeAt(index), lastAt: timeAt(8_000 + index) },
      },
    ],
  };
}

function scanAt(index: number): ExplainedScan {
  return {
    ...{
      _id: `scan-${index}`,
      areaId: `area-${index}`,
      pass: 2,
      deviceId: `device-${index}`,
      seq: index + 1,
    },
    ...{ username: "Mia", input: "4000000000105", inputType: "barcode", method: "scan", quantity: 1 },
    ...{ status: "counted", reason: null, scannedAt: timeAt(index * 100), timeKnown: true },
    ...{
      receivedAt: timeAt(index * 100 + 1),
      voidedAt: null,
      voidedBy: null,
      resolvedAt: null,
      resolvedBy: null,
    },
    ...{ before: null, after: null },
  };
}

/** Why a row is what it is where that is long: counted in 200 areas by 1,000 scans, and sold all the while. */
export function explanationOf(item: ReportItem): CallAnswer<typeof explainRow> {
  const { variance } = item;
  return {
    item,
    ...{ startedAt: timeAt(0), endedAt: timeAt(10_000), currency: "USD" },
    passes: Array.from({ length: passes }, (_none, index) => passAt(index)),
    ...{ scanned: item.counted, counts: [], otherCounts: [], costFrom: "end", mark: null },
    parts: {
      ...{ fromStart: item.counted - item.startOnHand, naturalMovement: item.naturalMovement, variance },
      ...{ afterCount: { low: 0, high: 0 }, atCount: { low: variance, high: variance } },
    },
    readings: Array.from({ length: readings }, (_none, index) => ({
      at: timeAt(index * 25),
      onHand: 1_000 - index,
      kind: index === 0 ? "start" : index === readings - 1 ? "end" : "during",
    })),
    deploy: {
      ...{ basis: "end", variance: { low: variance, high: variance }, moved: 0, movedByOthers: 0 },
      ...{ wouldMove: variance, skipReason: null, rows: [] },
    },
    scans: Array.from({ length: scans }, (_none, index) => scanAt(index)),
    next: "more",
    total: passes * 5,
  };
}
