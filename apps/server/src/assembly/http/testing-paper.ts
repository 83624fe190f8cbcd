import * as contract from "@stocktake/contract";
import { type Place, sample } from "./testing-place.ts";

const countRows = (place: Place) => ({
  params: { id: place.sessionId },
  body: { file: "counts.csv", rows: [{ row: 2, area: place.areaCode, code: "JK-1000", quantity: "3" }] },
});

const ofSession = ({ sessionId }: Place) => ({ params: { id: sessionId } });
const ofSheet = ({ sessionId }: Place) => ({ params: { id: sessionId, number: "1" } });

/** A proper form of each call about counts on paper and in files. */
export const paperSamples = [
  sample(contract.checkCountRows, countRows),
  sample(contract.storeCountRows, countRows),
  sample(contract.printSheets, (place) => ({
    ...ofSession(place),
    body: { areaIds: [place.areaId], order: "walk" as const, blankPages: 0 },
  })),
  sample(contract.listSheets, ofSession),
  sample(contract.readSheet, ofSheet),
  sample(contract.returnSheet, (place) => ({
    ...ofSheet(place),
    body: {
      ...{ who: "Ada", at: "2026-01-02T03:04:05.678Z", declaredTotal: 5 },
      lines: [{ line: 1, quantity: 2 }],
      others: [{ code: "JK-1000", quantity: 3 }],
    },
  })),
  sample(contract.voidSheet, (place) => ({ ...ofSheet(place), body: { reason: "Coffee" } })),
  sample(contract.lookUpCode, (place) => ({ ...ofSession(place), query: { code: "JK-1000" } })),
];
