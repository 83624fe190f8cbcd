import { isDeepStrictEqual } from "node:util";
import {
  type ErrorBody,
  type ErrorCode,
  type ErrorDetail,
  errorStatuses,
  type LoginEnd,
  type SecondFactorQuestion,
} from "@stocktake/contract";

/** What an error may carry besides its sentence. */
interface ApiErrorExtras {
  readonly details?: readonly ErrorDetail[];
  /** With SEQ_CONFLICT alone: the first free sequence number of the device. */
  readonly nextSeq?: number;
  /** Of an undo that names a scan: whether the scan counts all the same. */
  readonly countsOn?: boolean;
  /** With UNAUTHENTICATED: why the caller's login is over. */
  readonly loginEnd?: LoginEnd;
  /** With SECOND_FACTOR_REQUIRED alone: what finishes the login. */
  readonly secondFactor?: SecondFactorQuestion;
  /** With CONFIRM_ZEROING alone: what the deploy would set to zero. */
  readonly zeroing?: { readonly items: number; readonly units: number; readonly cost: number | null };
  /** With RATE_LIMITED, OVERLOADED and STORAGE_UNAVAILABLE: seconds until a try has a chance. */
  readonly retryAfterSeconds?: number;
  /** With METHOD_NOT_ALLOWED: the methods that the path takes, for the Allow header. */
  readonly allow?: string;
}

/** A refusal that a client receives: a code of the closed set and a sentence for the person who sees it. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly extras: ApiErrorExtras;

  constructor(code: ErrorCode, message: string, extras: ApiErrorExtras = {}) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.extras = extras;
  }

  get status(): number {
    return errorStatuses[this.code];
  }

  /** The body under which the refusal travels. */
  get body(): ErrorBody {
    const { details, nextSeq, countsOn, loginEnd, secondFactor, zeroing = {} } = this.extras;
    return {
      error: this.message,
      code: this.code,
      ...(details === undefined ? {} : { details: [...details] }),
      ...(nextSeq === undefined ? {} : { nextSeq }),
      ...(countsOn === undefined ? {} : { countsOn }),
      ...(loginEnd === undefined ? {} : { loginEnd }),
      ...(secondFactor === undefined ? {} : { secondFactor }),
      ...zeroing,
    };
  }
}

/** The error for an id that names nothing, is malformed, or that the caller can't access: all alike. */
export function notFound(what: string): ApiError {
  return new ApiError("NOT_FOUND", `${what} was not found.`);
}

/** The refusal of one field of a request; the sentence is shown for the call and beside the field. */
export function invalidField(field: string, message: string): ApiError {
  return invalidFields([{ field, message }]);
}

/** The refusal of a request by its fields. Where there is only one, its sentence is that of the call. */
export function invalidFields(details: readonly ErrorDetail[]): ApiError {
  const [first] = details;
  const message = details.length === 1 && first !== undefined ? first.message : "Some fields are not valid.";
  return new ApiError("VALIDATION", message, { details });
}

interface Edit<Value> {
  /** What it began with; absent from apps that don't say. */
  readonly seen: Value | undefined;
  /** What is there, under the lock that the edit holds. */
  readonly before: Value;
  /** What the edit makes of it. */
  readonly after: Value;
}

/**
 * Refuses an edit of something that is replaced as a whole where that is another by now than what the edit began with: it would take away
 * what somebody else has changed meanwhile. One that changes nothing is right: it is the same edit once more, after a lost answer.
 * @throws ApiError CHANGED_MEANWHILE.
 */
export function requireAsSeen<Value>(what: string, { seen, before, after }: Edit<Value>): void {
  if (seen === undefined || isDeepStrictEqual(seen, before) || isDeepStrictEqual(after, before)) return;
  throw new ApiError(
    "CHANGED_MEANWHILE",
    `${what} was changed after you had opened it. Nothing of yours was saved, and what is there stays. Look at what it is now, then save again.`,
  );
}
