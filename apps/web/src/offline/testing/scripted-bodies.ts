import {
  type AreaScan,
  InputType,
  readTag,
  type ScanReason,
  type ScanStatus,
  type UnresolvedScan,
} from "@stocktake/contract";
import * as z from "zod/mini";

// The fields that the scripted server reads. Ids are plain names here, where the contract's are UUIDs.
export const ScanBody = z.object({
  ...{ sessionId: z.string(), storeId: z.string(), locationId: z.string(), areaCode: z.string() },
  ...{ input: z.string(), inputType: InputType, deviceId: z.string(), seq: z.int(), method: z.string() },
  ...{ scannedAt: z.string(), pass: z.int(), opId: z.uuid(), scannedById: z.optional(z.string()) },
  quantity: z.optional(z.int()),
  replaces: z.optional(z.uuid()),
  replacesSeq: z.optional(z.int()),
  timeUnknown: z.optional(z.boolean()),
});
export type ScanBody = z.infer<typeof ScanBody>;

export const BatchBody = z.object({ scans: z.array(ScanBody) });

export const OperationBody = z.object({
  ...{ sessionId: z.string(), areaCode: z.string(), pass: z.int(), opId: z.uuid() },
  seq: z.optional(z.int()),
  deviceId: z.optional(z.string()),
  declaredTotal: z.optional(z.int()),
  knownAccepted: z.optional(z.int()),
  tagsUnheard: z.optional(z.boolean()),
});
export type OperationBody = z.infer<typeof OperationBody>;

/** One scan as the scripted server stores it. */
export interface StoredScan {
  readonly payload: ScanBody;
  /** The RFID tag that it is a read of; read once, as thousands are compared with one another. */
  readonly tag: string | null;
  readonly arrival: number;
  status: ScanStatus;
  reason: ScanReason | null;
  /** The pass it counts in; where an administrator accepted it, not the one it was sent in. */
  pass: number;
  isAccepted: boolean;
}

/** A scan as it arrives, in the pass that it names. */
export function arrived(payload: ScanBody, arrival: number) {
  const tag = readTag(payload.input)?.key ?? null;
  return { payload, tag, arrival, pass: payload.pass, isAccepted: false };
}

/** A status and a body, as the scripted server returns them. */
export interface Handled {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export const success: Handled = { status: 200, body: { success: true } };

export function refusal(status: number, code: string, more: Record<string, unknown> = {}): Handled {
  return { status, body: { error: `Refused: ${code}.`, code, ...more } };
}

/** The product that the server found for a scan. */
export interface FoundProduct {
  readonly sku: string | null;
  readonly productTitle: string | null;
  readonly size: string | null;
  /** The units of one pack, where the code is of one. */
  readonly packUnits?: number;
}

/** The scans of an area's pass as the server lists them. */
export function listedScans(
  counted: readonly StoredScan[],
  waiting: readonly StoredScan[],
): { scans: AreaScan[]; unresolved: UnresolvedScan[] } {
  const product = { productTitle: null, size: null, method: "scan", username: "Mia" } as const;
  return {
    scans: counted.map((scan) => ({ ...listedScan(scan), ...product, sku: scan.payload.input })),
    unresolved: waiting.map((scan) => ({ ...listedScan(scan), input: scan.payload.input })),
  };
}

function listedScan({ payload, arrival }: StoredScan) {
  const { deviceId, seq, scannedAt, timeUnknown, quantity = 1 } = payload;
  const time = timeUnknown === true ? { scannedAt, timeUnknown } : { scannedAt };
  return { _id: String(arrival + 1), deviceId, seq, quantity, ...time };
}

const nothingFound: FoundProduct = { sku: null, productTitle: null, size: null };

export function answerOf(stored: StoredScan, product: FoundProduct, duplicate: boolean): Handled {
  const { payload, arrival, status, reason, pass } = stored;
  const { areaCode, seq } = payload;
  const { packUnits, ...named } = product;
  const scan = {
    _id: String(arrival + 1),
    ...(packUnits === undefined ? {} : { quantity: packUnits * (payload.quantity ?? 1) }),
    seq,
    areaCode,
    pass,
    ...(status === "counted" || reason === "TAG_ELSEWHERE" ? named : nothingFound),
  };
  const outcome =
    reason === "TAG_COUNTED" || reason === "TAG_ELSEWHERE" ? { reason: null, tag: reason } : { reason };
  return { status: duplicate ? 200 : 201, body: { scan, status, ...outcome, duplicate } };
}

/** What a read becomes whose tag counts already; null for what may count. */
export function repeatedTag(
  scans: readonly StoredScan[],
  { input, areaCode }: ScanBody,
): { status: ScanStatus; reason: ScanReason } | null {
  const tag = readTag(input);
  if (tag === null) return null;
  const counting = scans.find((scan) => scan.status === "counted" && scan.tag === tag.key);
  if (counting === undefined) return null;
  const isHere = counting.payload.areaCode === areaCode;
  return isHere
    ? { status: "voided", reason: "TAG_COUNTED" }
    : { status: "unresolved", reason: "TAG_ELSEWHERE" };
}

export function refill<Key, Value>(map: Map<Key, Value>, entries: readonly (readonly [Key, Value])[]): void {
  map.clear();
  for (const [key, value] of entries) map.set(key, value);
}
