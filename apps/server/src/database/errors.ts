/** What kept the database from starting, for a caller that wants to act on it. */
export type DatabaseStartCause =
  | "IN_USE"
  | "NOT_WRITABLE"
  | "DISK_FULL"
  | "UNSUPPORTED_SYSTEM"
  | "OTHER_VERSION"
  | "POOLED"
  | "UNREACHABLE"
  | "REPLACED"
  | "FAILED";

/**
 * The embedded database could not start. The message is for the person who runs the server: what happened,
 * whether the data is safe, what to do next. It may name a folder, so it belongs in a log, never in a response.
 */
export class DatabaseStartError extends Error {
  override readonly name = "DatabaseStartError";
  readonly reason: DatabaseStartCause;

  constructor(reason: DatabaseStartCause, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** The system's code of a failed call (`EACCES`, `ENOENT`, ...), or undefined where the error has none. */
export function systemCode(error: unknown): string | undefined {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return undefined;
}

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
