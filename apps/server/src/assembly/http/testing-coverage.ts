import * as contract from "@stocktake/contract";
import type { TestServer } from "../../testing/test-server.ts";
import { type Place, sample } from "./testing-place.ts";

const ofSession = ({ sessionId }: Place) => ({ params: { id: sessionId } });

/** A proper form of each call about what a session leaves open, and its certificate. */
export const coverageSamples = [
  sample(contract.readCoverage, ofSession),
  sample(contract.listCoveredAreas, ofSession),
  sample(contract.stateAreas, (place) => ({
    ...ofSession(place),
    body: { areaIds: [place.areaId], as: "void" as const, stated: true, reason: "Being rebuilt" },
  })),
  sample(contract.listCoveredDevices, ofSession),
  sample(contract.stateDevices, (place) => ({
    ...ofSession(place),
    body: { deviceIds: [place.deviceId], stated: true, reason: "Looked at: nothing to send" },
  })),
  sample(contract.listUncoveredStock, ofSession),
  sample(contract.leaveStockAlone, (place) => ({
    ...ofSession(place),
    body: { skus: ["JK-1001"], leftAlone: true, reason: "On loan" },
  })),
  sample(contract.listBeyondTolerance, ofSession),
  sample(contract.stateBeyondTolerance, (place) => ({
    ...ofSession(place),
    body: { skus: ["JK-1001"], stated: true, reason: "Counted by the manager" },
  })),
  sample(contract.listCertificates, ofSession),
  sample(contract.issueCertificate, ofSession),
];

/** Puts so many versions of a session's certificate into the database, whatever is open. */
export async function putCertificates(
  { database }: TestServer,
  { sessionId, userId }: Pick<Place, "sessionId" | "userId">,
  versions: number,
): Promise<void> {
  const of = { sessionId, body: "{}", hash: "", fingerprint: "", items: "", issuedBy: userId };
  await database.database
    .insertInto("coverageCertificates")
    .values(Array.from({ length: versions }, (_nothing, index) => ({ ...of, version: index + 1 })))
    .execute();
}
