import { statfs } from "node:fs/promises";
import type { Finding } from "@stocktake/contract";
import { messageOf } from "../database/errors.ts";
import type { Config } from "../kernel/config.ts";
import { failed, notConfigured, ok, warning } from "./finding.ts";
import { bytesText } from "./formats.ts";

/** What a file system says of itself. */
export interface Room {
  readonly bavail: number;
  readonly bsize: number;
  readonly ffree: number;
  readonly files: number;
}

const mebibyte = 1024 * 1024;
/** PostgreSQL writes 16 MiB of its log at a time, and needs some of them to go on at all. */
const tooLittle = 256 * mebibyte;
/** A large stocktake with its catalogue readings; a backup beside it. */
const gettingLow = 2048 * mebibyte;
const fewFiles = 10_000;

const makeRoom = "Make room on it. Scans that were accepted are safe; while it is full none can be stored.";

/** Room where the embedded database keeps its data; the disk of a database elsewhere can't be seen from here. */
export async function checkDisk(
  { databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">,
  readRoom: (folder: string) => Promise<Room> = statfs,
): Promise<Finding> {
  if (databaseUrl !== null) {
    return notConfigured(
      "disk",
      "The data is on the database's own server, whose disk can't be seen from here.",
      "Watch the disk of the database's server.",
    );
  }
  try {
    return interpret(await readRoom(dataDir));
  } catch (error) {
    const advice = "Make sure that the folder exists, and that the server's user may read and write it.";
    return failed("disk", `The data folder can't be read: ${messageOf(error)}`, advice);
  }
}

function interpret({ bavail, bsize, ffree, files }: Room): Finding {
  const free = bavail * bsize;
  const message = `${bytesText(free)} are free on the disk of the data folder.`;
  if (files > 0 && ffree < fewFiles)
    return failed("disk", `Only ${ffree} more files fit on the disk.`, makeRoom);
  if (free < tooLittle) return failed("disk", `Only ${message}`, makeRoom);
  return free < gettingLow ? warning("disk", `Only ${message}`, makeRoom) : ok("disk", message);
}
