import * as contract from "@stocktake/contract";
import type { TestServer } from "../../testing/test-server.ts";
import { type Place, sample } from "./testing-place.ts";

const ofSession = ({ sessionId }: Place) => ({ params: { id: sessionId } });
const ofList = ({ sessionId }: Place) => ({ params: { id: sessionId, number: "1" } });

/** A proper form of each call about searches. */
export const searchSamples = [
  sample(contract.listNeverCounted, (place) => ({ ...ofSession(place), query: { areaId: place.areaId } })),
  sample(contract.neverCountedGroups, ofSession),
  sample(contract.createSearches, (place) => ({
    ...ofSession(place),
    body: {
      every: { words: "jacket", areaId: place.areaId },
      ...{ itemsPerList: 14, areaId: place.areaId, personId: place.invitationId },
    },
  })),
  sample(contract.listSearches, ofSession),
  sample(contract.readSearch, ofList),
  sample(contract.withdrawSearch, ofList),
  sample(contract.decideSearch, (place) => ({
    ...ofSession(place),
    body: { sku: "JK-1001", answer: "not_there" as const },
  })),
  sample(contract.listSearchTasks, ofSession),
  sample(contract.readSearchTask, ofList),
  sample(contract.answerSearch, (place) => ({
    ...ofList(place),
    body: { sku: "JK-1001", answer: "not_there" as const, deviceId: place.deviceId },
  })),
];

/** Puts the first search list of a session into the database, for anybody of it, with an answer about its first SKU. */
export async function putSearchList(
  { database }: TestServer,
  { sessionId, userId }: Pick<Place, "sessionId" | "userId">,
  skus: readonly string[],
): Promise<void> {
  const [sku = ""] = skus;
  const list = { sessionId, number: 1 };
  await database.database
    .insertInto("searchLists")
    .values({ ...list, createdBy: userId, withdrawnBy: null, areaId: null, invitationId: null, userId: null })
    .execute();
  await database.database
    .insertInto("searchItems")
    .values(skus.map((each, index) => ({ ...list, sku: each, place: index + 1 })))
    .execute();
  await database.database
    .insertInto("searchAnswers")
    .values({ ...list, sku, answeredBy: userId, answer: "found", deviceId: "device-1" })
    .execute();
}
