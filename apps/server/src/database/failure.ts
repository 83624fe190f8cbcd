import { DatabaseStartError } from "./errors.ts";

/** What a failing PostgreSQL prints, and what it means to the person who runs the server. */
export function explainFailure(folder: string, lines: readonly string[]): DatabaseStartError {
  const output = lines.join("\n");
  if (/No space left on device|Disk quota exceeded/i.test(output)) return diskFull(folder);
  if (/Permission denied|Read-only file system/i.test(output))
    return notWritable(folder, decisiveLine(lines));
  if (/lock file ".*" already exists/i.test(output)) return inUse(folder);
  return new DatabaseStartError(
    "FAILED",
    `The database in ${folder} did not start: ${decisiveLine(lines)}. What was saved is still in that folder; do not ` +
      "delete it. Start the server again; if this stays, copy the folder away as it is before trying anything else.",
  );
}

/** Another process works on the data folder. */
export function inUse(folder: string): DatabaseStartError {
  return new DatabaseStartError(
    "IN_USE",
    `Another Stocktake server is already using the data folder ${folder}. It goes on undisturbed. ` +
      "Stop it first, or give this one a DATA_DIR of its own.",
  );
}

export function diskFull(folder: string, cause?: unknown): DatabaseStartError {
  return new DatabaseStartError(
    "DISK_FULL",
    `There is no space left on the disk that holds ${folder}. Everything saved so far is safe. ` +
      "Free up some space there, at least a gigabyte, and start the server again.",
    { cause },
  );
}

export function notWritable(folder: string, detail: string, cause?: unknown): DatabaseStartError {
  return new DatabaseStartError(
    "NOT_WRITABLE",
    `The data folder ${folder} cannot be written to (${detail}). What is stored there is untouched. ` +
      "Give the user that runs the server the right to write there, or point DATA_DIR at another folder.",
    { cause },
  );
}

/** The line with the cause: the last one PostgreSQL calls an error, else the last of all. */
function decisiveLine(lines: readonly string[]): string {
  const errors = lines.filter((line) => /\b(FATAL|PANIC|ERROR|error):/.test(line));
  return (errors.at(-1) ?? lines.at(-1) ?? "it printed nothing").trim();
}
