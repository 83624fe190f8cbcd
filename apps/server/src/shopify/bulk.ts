import { TextDecoder } from "node:util";
import { z } from "zod";
import type { Clock } from "../kernel/clock.ts";
import { pollBulkQuery, runBulkMutation } from "./documents.ts";
import { PlatformRejectedError, PlatformUnavailableError } from "./errors.ts";
import type { ShopifyTransport } from "./transport.ts";

/** How patiently a bulk operation is waited for, in milliseconds. */
export interface BulkTimeouts {
  firstPauseMs: number;
  longestPauseMs: number;
  /** For another operation of this shop to end, before ours is accepted. */
  turnMs: number;
  /** For ours to end. */
  runMs: number;
}

export const defaultBulkTimeouts: BulkTimeouts = {
  firstPauseMs: 100,
  longestPauseMs: 10_000,
  turnMs: 15 * 60_000,
  runMs: 60 * 60_000,
};

/** What bulk operations are run with. */
export interface BulkSource {
  transport: ShopifyTransport;
  clock: Clock;
  timeouts: BulkTimeouts;
}

/** What reads few rows by pages and many by a bulk operation. */
export interface ReadingSource extends BulkSource {
  /** More rows than this are read by a bulk operation. */
  bulkAbove: number;
}

export interface BulkOptions extends BulkSource {
  signal?: AbortSignal | undefined;
  /** Called with the number of rows the platform has exported so far. */
  onExported: (rows: number) => void;
}

/** Where a finished export lies; null for an export without rows. */
interface BulkResult {
  url: string | null;
  rows: number;
}

// A fault of the platform's own is "often intermittent" says the schema: one more run is worth its while.
const maximumRuns = 2;
// The file does not change once it is written, so a download that breaks off can go on where it was.
const maximumDownloads = 3;

/**
 * The lines of a bulk query's result, as they arrive, some at a time. Throws a platform error as soon as it is clear that
 * the result will not come or is not whole: partial data of a failed operation is never taken.
 */
export async function* bulkLines(
  query: string,
  options: BulkOptions,
): AsyncGenerator<string[], void, undefined> {
  const result = await runBulk(query, options);
  let rows = 0;
  for await (const lines of downloadLines(result.url, options)) {
    rows += lines.length;
    yield lines;
  }
  if (rows !== result.rows) {
    throw new PlatformRejectedError("unexpected-answer", `the export has ${rows} of ${result.rows} rows`);
  }
}

async function runBulk(query: string, options: BulkOptions): Promise<BulkResult> {
  for (let run = 1; ; run += 1) {
    const operation = await finished(await started(query, options), options);
    if (operation.status === "COMPLETED") return { url: operation.url ?? null, rows: operation.objectCount };
    if (run === maximumRuns || !isPlatformFault(operation)) throw failureOf(operation);
  }
}

const runAnswerSchema = z.object({
  bulkOperationRunQuery: z.object({
    bulkOperation: z.object({ id: z.string() }).nullish(),
    userErrors: z.array(z.object({ code: z.string().nullish(), message: z.string() })),
  }),
});

const anotherIsRunning = new Set(["OPERATION_IN_PROGRESS", "LIMIT_REACHED"]);

/** Starts the export, when those before it have ended, and gives its id. */
async function started(query: string, { transport, clock, timeouts, signal }: BulkOptions): Promise<string> {
  const pauses = growingPauses(clock, timeouts, { growth: turnGrowth, timeoutMs: timeouts.turnMs, signal });
  for (;;) {
    // Safe to repeat: an export only reads. One whose answer was lost runs on, and we wait for our turn.
    const request = { document: runBulkMutation, variables: { query }, answer: runAnswerSchema, signal };
    const { bulkOperation, userErrors } = (await transport.read(request)).bulkOperationRunQuery;
    const [error] = userErrors;
    if (!error && bulkOperation) return bulkOperation.id;
    const detail = error?.message ?? "no bulk operation in the answer";
    if (!anotherIsRunning.has(error?.code ?? "")) throw new PlatformRejectedError("rejected", detail);
    if (!(await pauses())) throw new PlatformUnavailableError("busy", detail);
  }
}

const operationSchema = z.object({
  id: z.string(),
  status: z.enum(["CANCELED", "CANCELING", "COMPLETED", "CREATED", "EXPIRED", "FAILED", "RUNNING"]),
  errorCode: z.string().nullish(),
  // UnsignedInt64 is written as text.
  objectCount: z.union([z.int(), z.string().regex(/^\d+$/)]).transform(Number),
  url: z.string().nullish(),
});

type BulkOperation = z.infer<typeof operationSchema>;

const pollAnswerSchema = z.object({ bulkOperation: operationSchema.nullable() });

const endedStatuses = new Set<BulkOperation["status"]>(["CANCELED", "COMPLETED", "EXPIRED", "FAILED"]);

/** Polls until the operation has come to an end, whichever. */
async function finished(id: string, options: BulkOptions): Promise<BulkOperation> {
  const { transport, clock, timeouts, signal } = options;
  const pauses = growingPauses(clock, timeouts, { growth: runGrowth, timeoutMs: timeouts.runMs, signal });
  for (;;) {
    const request = { document: pollBulkQuery, variables: { id }, answer: pollAnswerSchema, signal };
    const operation = (await transport.read(request)).bulkOperation;
    if (operation === null) throw new PlatformRejectedError("bulk-failed", `${id} is gone`);
    options.onExported(operation.objectCount);
    if (endedStatuses.has(operation.status)) return operation;
    if (!(await pauses())) throw new PlatformUnavailableError("timeout", `${id} did not end`);
  }
}

/** Ordering an export is ten times as dear as asking for one. */
const turnGrowth = 1.25;
/** An export has then been over for no more than a twentieth of its time, and the first pause, when that is heard of. */
const runGrowth = 1.05;

interface Pausing {
  /** Each pause is so many times the one before. */
  growth: number;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

/** A pause that grows each time; false, without pausing, once the time is used up. */
function growingPauses(
  clock: Clock,
  { firstPauseMs, longestPauseMs }: BulkTimeouts,
  { growth, timeoutMs, signal }: Pausing,
): () => Promise<boolean> {
  const until = clock.steady() + timeoutMs;
  let pauseMs = firstPauseMs;
  return async () => {
    if (clock.steady() >= until) return false;
    await clock.sleep(pauseMs, signal);
    pauseMs = Math.min(longestPauseMs, Math.ceil(pauseMs * growth));
    return true;
  };
}

function isPlatformFault({ status, errorCode }: BulkOperation): boolean {
  return status === "FAILED" && (errorCode === "INTERNAL_SERVER_ERROR" || errorCode === "TIMEOUT");
}

function failureOf(operation: BulkOperation): PlatformUnavailableError | PlatformRejectedError {
  const detail = `bulk operation ${operation.status} ${operation.errorCode ?? ""}`.trim();
  if (operation.errorCode === "ACCESS_DENIED") return new PlatformRejectedError("unauthorised", detail);
  if (isPlatformFault(operation)) return new PlatformUnavailableError("server-error", detail);
  return new PlatformRejectedError("bulk-failed", detail);
}

/**
 * The lines of a UTF-8 stream, those of a piece together, without holding more than one piece of it. A last line may lack its line
 * feed; empty lines are passed over. Throws a PlatformRejectedError for bytes that are not UTF-8.
 */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string[], void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + decoded(decoder, piece)).split("\n");
    rest = lines.pop() ?? "";
    const whole = lines.filter((line) => line.trim() !== "");
    if (whole.length > 0) yield whole;
  }
  rest += decoded(decoder, null);
  if (rest.trim() !== "") yield [rest];
}

/** The text of a piece; null ends the stream. A character may lie across two pieces. */
function decoded(decoder: TextDecoder, piece: Uint8Array | null): string {
  try {
    return piece === null ? decoder.decode() : decoder.decode(piece, { stream: true });
  } catch (error) {
    throw new PlatformRejectedError("unexpected-answer", `the export is not UTF-8: ${String(error)}`);
  }
}

/** The lines of the file; after a break the download begins again and passes over those it has given. */
async function* downloadLines(
  url: string | null,
  { transport, clock, timeouts, signal }: BulkOptions,
): AsyncGenerator<string[], void, undefined> {
  if (url === null) return;
  let given = 0;
  for (let attempt = 1; ; attempt += 1) {
    let seen = 0;
    try {
      for await (const lines of linesOf(transport.download(url, signal))) {
        const fresh = lines.slice(Math.max(0, given - seen));
        seen += lines.length;
        given = Math.max(given, seen);
        if (fresh.length > 0) yield fresh;
      }
      return;
    } catch (error) {
      if (attempt === maximumDownloads || !(error instanceof PlatformUnavailableError)) throw error;
    }
    await clock.sleep(timeouts.firstPauseMs, signal);
  }
}
