import { ErrorBody, type ErrorCode, errorStatuses, limits, postScanBatch } from "@stocktake/contract";
import * as z from "zod/mini";
import type { FuzzRequest } from "./requests.ts";
import type { FuzzResponse } from "./send.ts";

/** What every call may be refused with. */
const general: readonly ErrorCode[] = [
  ...(["VALIDATION", "UNAUTHENTICATED", "FORBIDDEN", "NOT_FOUND", "PAYLOAD_TOO_LARGE"] as const),
  ...(["UNSUPPORTED_MEDIA_TYPE", "OVERLOADED"] as const),
];

/** What must never be shown of the inside. */
const inside =
  /node_modules|\/src\/|\/dist\/|\.[cm]?[jt]s:\d|\bselect \S+ from |insert into|violates|duplicate key|FST_|ZodError|\bat \S+ \(/i;

const StrictError = z.strictObject(ErrorBody.shape);

/** What is wrong with the response to a request; null where it is a proper answer or a proper refusal. */
export function faultIn(request: FuzzRequest, response: FuzzResponse | null): string | null {
  if (response === null) {
    const size = request.body?.length ?? 0;
    return size > limits.bodyBytes ? null : "the connection was ended without a response";
  }
  if (response.status === 431) return response.body === "" ? null : "a head that is too large has a body";
  if (response.status >= 400) return faultInRefusal(request, response);
  return request.isItself ? faultInAnswer(request, response) : null;
}

function faultInRefusal(
  { call, method, isItself }: FuzzRequest,
  { status, body }: FuzzResponse,
): string | null {
  if (method === "HEAD") return status < 500 ? null : `${status}`;
  const read = StrictError.safeParse(jsonOf(body));
  if (!read.success) return `${status} is no error of the contract`;
  const { code } = read.data;
  if (errorStatuses[code] !== status) return `${code} came under ${status}`;
  const shown = inside.exec(body)?.[0];
  if (shown !== undefined) return `it shows ${shown}`;
  const documented = [...general, ...(call.refusals ?? [])];
  if (isItself && !documented.includes(code)) return `${code} is not among the call's refusals`;
  return code === "INTERNAL" ? "it failed unexpectedly" : null;
}

function faultInAnswer({ call }: FuzzRequest, { status, contentType, body }: FuzzResponse): string | null {
  if (status === 304) return null;
  if (call.media !== undefined)
    return contentType.startsWith(call.media) ? null : `its type is ${contentType}`;
  const answer = jsonOf(body);
  const read = z.safeParse(call.answer ?? z.unknown(), answer);
  if (!read.success) return `the answer is not the contract's: ${read.error.message.slice(0, 300)}`;
  const results = call === postScanBatch ? postScanBatch.answer.parse(answer).results : [];
  const failed = results.find(({ httpStatus }) => httpStatus >= 500);
  return failed === undefined ? null : `a scan of the batch got ${failed.httpStatus}`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
