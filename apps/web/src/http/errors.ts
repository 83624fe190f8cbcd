import type { ErrorBody, ErrorCode, ErrorDetail, LoginEnd, SecondFactorQuestion } from "@stocktake/contract";

/** The server refused: its status, its code (null where the answer was not the product's) and its sentence. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | null;
  readonly details: readonly ErrorDetail[];
  /** With SEQ_CONFLICT alone: the first free sequence number. */
  readonly nextSeq: number | null;
  /** Of an undo that was refused, where the server says it: whether its scan counts all the same. */
  readonly countsOn: boolean | null;
  /** How long the server asks to wait before the next try; null where it did not say. */
  readonly retryAfterMs: number | null;
  /** With UNAUTHENTICATED: why the login is over, where the server says it. */
  readonly loginEnd: LoginEnd | null;

  /** With SECOND_FACTOR_REQUIRED: what finishes the login. */
  readonly secondFactor: SecondFactorQuestion | null;

  constructor(status: number, body: ErrorBody | null, retryAfterMs: number | null = null) {
    super(body?.error ?? "");
    this.name = "ApiError";
    this.status = status;
    this.code = body?.code ?? null;
    this.details = body?.details ?? [];
    this.nextSeq = body?.nextSeq ?? null;
    this.countsOn = body?.countsOn ?? null;
    this.retryAfterMs = retryAfterMs;
    this.loginEnd = body?.loginEnd ?? null;
    this.secondFactor = body?.secondFactor ?? null;
  }
}

/**
 * What was read is no more: an invitation was revoked, a code closed, a request went with its session. The server's own word alone: a
 * proxy has pages of its own under 404 while the server is started.
 */
export function isGone(error: Error | null): boolean {
  return error instanceof ApiError && error.code === "NOT_FOUND";
}

/** No answer of the product's arrived: no network, a timeout, or something between that answered in its place. */
export class NoAnswerError extends Error {
  constructor(cause: unknown) {
    super("The server did not respond.", { cause });
    this.name = "NoAnswerError";
  }
}

/** Something on this side was not done, before the server was asked; the message says to people what and what to do next. */
export class NotDoneError extends Error {
  override readonly name = "NotDoneError";
}

/** The page asked who sits there, and the person chose not to say: nothing was done, which is no failure. */
export class NotProvedError extends NotDoneError {
  constructor() {
    super("Not done: you did not confirm that it is you.");
  }
}

/** A failure as the page shows it: the message, and what to do next where the server could not say. */
export interface Failure {
  readonly message: string;
  readonly advice: string | null;
}

function adviceFor(error: unknown): string | null {
  if (error instanceof NoAnswerError) {
    return "The server did not respond. Check the connection and try again.";
  }
  if (error instanceof NotDoneError) return error.message;
  if (error instanceof ApiError && error.details.length > 0) {
    const details = error.details.map(({ message }) => message);
    // A single field's sentence mostly is the beginning of the server's own.
    return details.filter((text) => !error.message.startsWith(text)).join(" ") || null;
  }
  return null;
}

/** The server's own sentence, or the specification's fallback where there is none. */
export function describeFailure(error: unknown, fallback: string): Failure {
  const sentence = error instanceof ApiError ? error.message : "";
  const advice = adviceFor(error);
  const message = sentence === "" ? fallback : sentence;
  return { message, advice: advice === message ? null : advice };
}

/** The specification's prefixed form: "Failed to deploy to Shopify: " and then the server's sentence. */
export function describePrefixedFailure(error: unknown, prefix: string): Failure {
  const reason = error instanceof Error && error.message !== "" ? error.message : "the server gave no reason";
  const { advice } = describeFailure(error, "");
  return { message: `${prefix} ${reason}`, advice };
}
