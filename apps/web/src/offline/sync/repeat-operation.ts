import { areaScans, listAreasOfLocation, listSessions } from "@stocktake/contract";
import { type Measurement, operationTime } from "../connection/scan-time.ts";
import { isMismatch, type PendingOperation, type Refusal, unitsOf } from "../database/records.ts";
import type { Send } from "../ports.ts";
import { readList } from "./read-list.ts";
import type { Reply } from "./reply.ts";

type Area = ReturnType<typeof listAreasOfLocation.answer.parse>["areas"][number];
type AreaScans = ReturnType<typeof areaScans.answer.parse>;

/** What a reset voids: what counts, and what waits for a product. */
type VoidedScan = Pick<AreaScans["scans"][number], "deviceId" | "scannedAt" | "timeUnknown">;

/**
 * What to do about a reset or a finish that the server had carried out before it was restored: send it again; nothing,
 * because the server has got that far; or leave it to a person, because it would void what was counted since.
 */
export type Repetition = "send" | "done" | "left";

type Ending = Extract<PendingOperation, { kind: "reset" | "finish" }>;

function isClosing(operation: Ending): boolean {
  return operation.kind === "finish" && operation.answer?.kind === "finish" && operation.answer.matched;
}

/**
 * Whether a repetition that the server refuses is left to a person: what the lost server had done is not done on this one, unless it has
 * got that far in the moment since it was asked. A refused undo has nothing left to take back.
 */
export function isLeftBy(operation: PendingOperation, { code }: Pick<Refusal, "code">): boolean {
  if (operation.kind === "undo" || code === "PASS_OVER") return false;
  return !(code === "AREA_CLOSED" && isClosing(operation));
}

/** Decides by the restored server's area and the scans that count in it (docs/SYNC.md, S31). */
function decideRepetition(
  operation: Ending,
  area: Pick<Area, "pass" | "status">,
  { scans, unresolved = [] }: Pick<AreaScans, "scans" | "unresolved">,
  heard: Measurement | null,
): Repetition {
  if (area.pass > operation.pass) return "done";
  if (area.pass < operation.pass) return "left";
  if (operation.kind === "finish" && operation.ownOf !== undefined && !isMismatch(operation.answer)) {
    // Of a sum that others have their part in, this device can't tell whether it is still right.
    return area.status === "closed" ? "done" : "left";
  }
  if (isClosing(operation)) {
    if (area.status === "closed") return "done";
    return operation.kind === "finish" && unitsOf(scans) === operation.declaredTotal ? "send" : "left";
  }
  if (area.status === "closed") return "left";
  const madeAt = operationTime(operation, heard);
  // Of paper and files too nobody can say the time: what was written before the reset may have been entered again after it.
  const isScannedBefore = ({ deviceId, scannedAt, timeUnknown = false }: VoidedScan) =>
    madeAt !== null &&
    (!timeUnknown || deviceId === operation.deviceId) &&
    Date.parse(scannedAt) <= Date.parse(madeAt);
  return [...scans, ...unresolved].every(isScannedBefore) ? "send" : "left";
}

/** Asks the server and decides; an area that is not there any more leaves it to a person. */
export async function classifyRepetition(
  { send, heard }: { readonly send: Send; readonly heard: () => Measurement | null },
  operation: Ending,
): Promise<Reply<Repetition>> {
  const { locationId, sessionId, areaCode, areaId } = operation;
  const areas = await readList(send, listAreasOfLocation, { params: { locationId } });
  if (areas.kind !== "done") return areas;
  const area = areas.answer.areas.find(({ _id }) => _id === areaId);
  if (area === undefined) return { kind: "done", answer: "left" };
  const named = { params: { sessionId, areaCode }, query: { locationId } };
  const counted = await readList(send, areaScans, named);
  if (counted.kind !== "done") return counted;
  const ofPass = { ...area, pass: counted.answer.pass };
  const decided = decideRepetition(operation, ofPass, counted.answer, heard());
  const isOfList = operation.kind === "finish" && operation.ofList === true && isClosing(operation);
  if (decided !== "send" || !isOfList || area.only !== undefined) return { kind: "done", answer: decided };
  return sendIfListed(send, sessionId);
}

/** A second count of a few products may be gone from the server: then the total would close the area as that of everything in it. */
async function sendIfListed(send: Send, sessionId: string): Promise<Reply<Repetition>> {
  const listed = await readList(send, listSessions);
  if (listed.kind !== "done") return listed;
  const session = listed.answer.sessions.find(({ _id }) => _id === sessionId);
  return { kind: "done", answer: session?.only === undefined ? "left" : "send" };
}
