import type { ScanResult } from "@stocktake/contract";
import type { FastifyRequest } from "fastify";
import { ApiError } from "../../kernel/api-error.ts";
import { asApiError } from "../../kernel/as-api-error.ts";
import type { Caller } from "../../kernel/caller.ts";
import { readScans } from "./incoming-scan.ts";
import type { IntakeResult, ScanIntake } from "./scan-intake.ts";

interface Batch {
  readonly caller: Caller;
  readonly scans: readonly unknown[];
  readonly pending: number | null;
  readonly request: FastifyRequest;
}

/** Stores the well-formed scans of a batch; returns for each of all, in order, what a single call would have returned. */
export async function storeBatch(intake: ScanIntake, batch: Batch): Promise<ScanResult[]> {
  const read = readScans(batch.caller, batch.scans);
  const wellFormed = read.flatMap((scan) => (scan instanceof ApiError ? [] : [scan]));
  const stored = await intake.store(wellFormed, batch.pending);
  const results = new Map(wellFormed.map((scan, index) => [scan, stored[index]]));
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

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
