import type { ErrorCode } from "@stocktake/contract";

/** The failure of a service that is not ours, with a message that a client may read. */
export abstract class PlatformFailedError extends Error {
  abstract readonly code: ErrorCode;
  abstract readonly kind: string;
  /** For the log only: it may quote the service. */
  abstract readonly detail: string;
  abstract readonly logLevel: "warn" | "error";
  abstract readonly logMessage: string;
}
