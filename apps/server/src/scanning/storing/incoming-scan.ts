import { fileDevice, isOfPaper, type ScanAnswer, ScanPayload, type ScanRequest } from "@stocktake/contract";
import { sql } from "kysely";
import { type ApiError, invalidField, invalidFields } from "../../kernel/api-error.ts";
import type { Caller } from "../../kernel/caller.ts";
import { inSlices } from "../../kernel/slices.ts";
import { runningNumber } from "../devices/sequence-numbers.ts";

type Named = Pick<
  ScanRequest,
  | "sessionId"
  | "storeId"
  | "locationId"
  | "areaCode"
  | "input"
  | "inputType"
  | "method"
  | "quantity"
  | "deviceId"
  | "seq"
>;

/** That a scan comes from paper (`isOfPaper`), as a condition over a row of `scans`. */
export const ofPaper = sql<boolean>`(device_id = ${sql.lit(fileDevice)} or device_id ~ '^sheet [0-9]+$')`;

/** A well-formed scan on its way into the database: what its payload and its call mean, decided once, here. */
export interface IncomingScan extends Readonly<Named> {
  readonly opId: string | null;
  /** The pass that the device began in; null where it names none. */
  readonly sentPass: number | null;
  /** When the device scanned, in milliseconds since 1970; null where it gave no time. */
  readonly scannedAtMs: number | null;
  /** The device can't tell when it was: its time is shown, and nothing is concluded from it. */
  readonly isTimeUnknown: boolean;
  /** Who scanned: the user that the payload names, otherwise the caller. */
  readonly scannedById: string;
  readonly sentBy: Caller;
  /** The operation id, or its device's number, of the scan whose place it takes. */
  readonly replacesOpId: string | null;
  readonly replacesSeq: number | null;
  /** The highest sequence number that the same call carries for the device: a renumbered scan goes beyond it. */
  readonly highestSeq: number;
}

/** The ids that a scan names do not lead to an area of its session; which of them is wrong is looked up afterwards. */
interface UnknownArea {
  readonly kind: "unknown-area";
}
export const unknownArea: UnknownArea = { kind: "unknown-area" };

/** The outcome of one scan: the answer to a stored one, or why it was refused. */
export type ScanOutcome = ScanAnswer | ApiError | UnknownArea;

/** What is entered from paper goes another way: sent as a device's, it would look like what an administrator has entered, and nobody could undo it. */
const inNameOfPaper = invalidField("deviceId", "deviceId must not be that of a file or of a count sheet.");

/**
 * Reads a scan of a call that the contract's schema has accepted, which takes no time that no calendar has.
 * @throws ApiError VALIDATION for one in the name of paper.
 */
export function readScan(caller: Caller, request: ScanRequest, highestSeq = request.seq): IncomingScan {
  if (isOfPaper(request)) throw inNameOfPaper;
  const { scannedAt, timeUnknown = false, pass, opId, scannedById, replaces, replacesSeq } = request;
  // Field by field: to copy what is left of an object takes as long as to check all of it against the schema.
  return {
    sessionId: request.sessionId,
    storeId: request.storeId,
    locationId: request.locationId,
    areaCode: request.areaCode,
    input: request.input,
    inputType: request.inputType,
    method: request.method,
    quantity: request.quantity,
    deviceId: request.deviceId,
    seq: request.seq,
    opId: opId ?? null,
    sentPass: pass ?? null,
    scannedAtMs: scannedAt === undefined ? null : Date.parse(scannedAt),
    isTimeUnknown: timeUnknown,
    scannedById: scannedById ?? caller.userId,
    sentBy: caller,
    replacesOpId: replaces ?? null,
    replacesSeq: replacesSeq ?? null,
    highestSeq: runningNumber(highestSeq),
  };
}

/** As many as are checked in a millisecond or two. */
const readAtOnce = 100;

/** Reads each scan of a batch, or the reason that it is refused for; others' scans go on between slices of it. */
export async function readScans(
  caller: Caller,
  payloads: readonly unknown[],
): Promise<(IncomingScan | ApiError)[]> {
  const parsed = await inSlices(payloads, readAtOnce, (payload) => ScanPayload.safeParse(payload));
  const highest = highestOfDevices(parsed.flatMap(({ data }) => data ?? []));
  return inSlices(parsed, readAtOnce, ({ data, error }) => {
    if (data === undefined) return malformed(error?.issues ?? []);
    return isOfPaper(data) ? inNameOfPaper : readScan(caller, data, highest.get(deviceKey(data)));
  });
}

const deviceKey = ({ sessionId, deviceId }: ScanRequest) => `${sessionId}:${deviceId}`;

function highestOfDevices(scans: readonly ScanRequest[]): Map<string, number> {
  const highest = new Map<string, number>();
  for (const scan of scans) {
    highest.set(deviceKey(scan), Math.max(runningNumber(scan.seq), highest.get(deviceKey(scan)) ?? 0));
  }
  return highest;
}

function malformed(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): ApiError {
  return invalidFields(issues.map(({ path, message }) => ({ field: path.map(String).join("."), message })));
}
