import { ApiError } from "./api-error.ts";

const retryAfterSeconds = 5;

/** Class 53 is what the database runs out of: disk_full, out_of_memory, too_many_connections. */
const diskFullCode = "53100";

/**
 * PostgreSQL's codes, and the system's, for a database that is gone for now: connections that broke (class 08), a server that
 * shuts down, starts or has crashed (57P), one that takes no more connections.
 */
const awayCodes = /^(?:08...|57P0[1-3]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT)$/;

/** What the database's driver says without a code of a connection that is no more, or of one that can't be had. */
const awayMessages =
  /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Client was closed|Cannot use a pool after)/;

export function diskFull(): ApiError {
  return new ApiError(
    "STORAGE_UNAVAILABLE",
    "The server's disk is full, so nothing can be stored at the moment. What was stored is safe, and scans stay on the device until there is room. Tell whoever runs the server.",
    { retryAfterSeconds },
  );
}

/**
 * The refusal that a failure of the database itself means; null where the failure is another one. Where the connection broke
 * nobody knows whether the last statement was carried out: what has an operation id may be sent again.
 */
export function storageFailure(error: Error): ApiError | null {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (code === diskFullCode) return diskFull();
  if (!awayCodes.test(code) && !awayMessages.test(error.message)) return null;
  return new ApiError(
    "STORAGE_UNAVAILABLE",
    "The server can't reach its database at the moment. Check whether your last change was saved, then try again; scans stay on the device until they are stored.",
    { retryAfterSeconds },
  );
}
