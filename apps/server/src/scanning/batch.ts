import { type ErrorDetail, ScanPayload, type ScanRequest, type ScanResult } from "@stocktake/contract";
import type { FastifyRequest } from "fastify";
import { ApiError } from "../kernel/api-error.ts";
import { asApiError } from "../kernel/as-api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { type IncomingScan, incomingScan } from "./incoming-scan.ts";
import { runningNumber } from "./max-sequence.ts";
import type { IntakeResult, ScanIntake } from "./scan-intake.ts";

interface Batch {
  readonly caller: Caller;
  readonly scans: readonly unknown[];
  readonly pending: number | null;
  readonly request: FastifyRequest;
}

/** Stores the well-formed scans of a batch and answers for each of all, in order, what a single call would have. */
export async function storeBatch(intake: ScanIntake, batch: Batch): Promise<ScanResult[]> {
  const read = readScans(batch.caller, batch.scans);
  const wellFormed = read.flatMap((scan) => (scan instanceof ApiError ? [] : [scan]));
  const stored = await intake.store(wellFormed, batch.pending);
  const results = new Map(wellFormed.map((scan, place) => [scan, stored[place]]));
  return read.map((scan) => {
    if (scan instanceof ApiError) return refusal(scan);
    return resultOf(
      results.get(scan) ?? { failed: new Error("A scan of a batch has no result.") },
      batch.request,
    );
  });
}

function resultOf(result: IntakeResult, request: FastifyRequest): ScanResult {
  if (result instanceof ApiError) return refusal(result);
  if ("failed" in result) return refusal(asApiError(asError(result.failed), request));
  return { httpStatus: result.duplicate ? 200 : 201, ...result };
}

function refusal(error: ApiError): ScanResult {
  return { httpStatus: error.status, ...error.body };
}

/** Whatever was thrown, as an error that can be answered. */
function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function readScans(caller: Caller, scans: readonly unknown[]): (IncomingScan | ApiError)[] {
  const parsed = scans.map((scan) => ScanPayload.safeParse(scan));
  const highest = highestOfDevices(parsed.flatMap(({ data }) => data ?? []));
  return parsed.map(({ data, error }) => {
    if (data === undefined) return malformed(error?.issues ?? []);
    try {
      return incomingScan(caller, data, highest.get(deviceKey(data)));
    } catch (refused) {
      if (refused instanceof ApiError) return refused;
      throw refused;
    }
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
  const details: ErrorDetail[] = issues.map(({ path, message }) => ({
    field: path.map(String).join("."),
    message,
  }));
  const [first] = details;
  const message = details.length === 1 && first !== undefined ? first.message : "Some fields are not valid.";
  return new ApiError("VALIDATION", message, { details });
}
