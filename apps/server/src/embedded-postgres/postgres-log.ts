import type { DatabaseLogger } from "../database/logger.ts";

/** PostgreSQL's settings that make its log lines readable for `logPostgresLine` and keep people's data out of them. */
export const logSettings = {
  log_line_prefix: "",
  lc_messages: "C",
  // A line's details quote values of the row at fault, and its statement what was asked: names and addresses.
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
} as const;

export const readyMarker = "database system is ready to accept connections";

/** Hands a line of PostgreSQL's log on at our level for it. */
export function logPostgresLine(logger: DatabaseLogger | undefined, line: string): void {
  if (logger === undefined || line.trim() === "") return;
  const severity = /^([A-Z]+\d?): {2}/.exec(line)?.[1];
  const message = `PostgreSQL: ${line}`;
  if (severity === "PANIC" || severity === "FATAL") logger.error(message);
  else if (severity === "WARNING") logger.warn(message);
  // A statement's error goes to whoever sent the statement, who says so where it matters.
  else logger.debug(message);
}
