import * as contract from "@stocktake/contract";
import { type Place, sample } from "./testing-place.ts";

const countRows = (place: Place) => ({
  params: { id: place.sessionId },
  body: { file: "counts.csv", rows: [{ row: 2, area: place.areaCode, code: "JK-1000", quantity: "3" }] },
});

/** A proper form of each call about counts on paper and in files. */
export const paperSamples = [
  sample(contract.checkCountRows, countRows),
  sample(contract.storeCountRows, countRows),
];
