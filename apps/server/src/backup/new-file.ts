import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { systemCode } from "../database/errors.ts";
import { TransferError } from "./transfer-format.ts";

/** A file that has no name of its own yet. */
export interface UnfinishedFile {
  readonly path: string;
  readonly handle: FileHandle;
}

/**
 * Has a file written beside its name, which it gets once it is whole. It is written by this command alone, readable by its owner only, and
 * never reached through a link. What is left unfinished is removed.
 * @throws TransferError where another command is writing it, or one that was cut off has left it.
 */
export async function writeWhole<Result>(
  file: string,
  write: (unfinished: UnfinishedFile) => Promise<Result>,
): Promise<Result> {
  const path = `${file}.unfinished`;
  const handle = await claim(path, file);
  try {
    const result = await write({ path, handle });
    await handle.close();
    await rename(path, file);
    return result;
  } catch (error) {
    await handle.close();
    await rm(path, { force: true });
    throw error;
  }
}

async function claim(path: string, file: string): Promise<FileHandle> {
  try {
    return await open(path, "wx", 0o600);
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
    throw new TransferError(
      `${path} is there already: another command is writing ${file}, or one that was cut off has left it. Nothing was ` +
        "changed. Wait for the other command; if none runs, delete that file and run this one again.",
      { cause: error },
    );
  }
}
