import { randomBytes } from "node:crypto";
import { access, mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { databaseUser } from "../database/connection.ts";
import { DatabaseStartError, messageOf, systemCode } from "../database/errors.ts";
import { diskFull, explainFailure, notWritable } from "../database/failure.ts";
import type { Programs } from "./binaries.ts";
import type { Guard, StopRequest } from "./guard.ts";
import { chooseMaker, commandAs, giveTo, type Identity } from "./unprivileged.ts";

/** The folders of one embedded database, all under DATA_DIR/postgres. */
export interface DataFolder {
  /** The whole, 0700, owned by whoever runs PostgreSQL. */
  readonly root: string;
  /** PostgreSQL's own data directory. It is there entirely or not at all. */
  readonly data: string;
  readonly sockets: string;
  readonly libraries: string;
}

const unfinishedPrefix = "initialising-";

/** Makes the outer folder. Throws DatabaseStartError NOT_WRITABLE or DISK_FULL. */
export async function prepareFolder(dataDir: string): Promise<DataFolder> {
  const root = join(resolve(dataDir), "postgres");
  try {
    // Only the inner folder is closed: the user who runs PostgreSQL has to pass the outer one.
    await mkdir(resolve(dataDir), { recursive: true });
    await mkdir(root, { recursive: true, mode: 0o700 });
    const probe = join(root, `.writable-${randomBytes(4).toString("hex")}`);
    await writeFile(probe, "");
    await rm(probe);
  } catch (error) {
    throw unusable(root, error);
  }
  const inside = (name: string) => join(root, name);
  return { root, data: inside("data"), sockets: inside("sockets"), libraries: inside("libraries") };
}

function unusable(folder: string, error: unknown): DatabaseStartError {
  const isFull = systemCode(error) === "ENOSPC" || systemCode(error) === "EDQUOT";
  return isFull ? diskFull(folder, error) : notWritable(folder, messageOf(error), error);
}

/** Whether a database was ever made in `dataDir`, whoever may read it. Changes nothing. */
export async function holdsEmbeddedDatabase(dataDir: string): Promise<boolean> {
  try {
    await access(join(resolve(dataDir), "postgres", "data"));
    return true;
  } catch (error) {
    // Closed to us: there is one, and opening it says why it can't be read.
    return systemCode(error) === "EACCES";
  }
}

/**
 * Whether the folder already holds a database.
 * Throws DatabaseStartError OTHER_VERSION where it is another major version's.
 */
export async function holdsDatabase(folder: DataFolder, programs: Programs): Promise<boolean> {
  const version = await readIfThere(join(folder.data, "PG_VERSION"));
  if (version === undefined) return false;
  if (Number(version) === programs.majorVersion) return true;
  throw new DatabaseStartError(
    "OTHER_VERSION",
    `The data in ${folder.data} was written by PostgreSQL ${version.trim()}; this release brings PostgreSQL ` +
      `${programs.majorVersion}. The data is untouched. With the release that wrote it run "npm run backup -- FILE"; ` +
      'then start this release with an empty DATA_DIR through "npm run restore -- FILE".',
  );
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw unusable(path, error);
  }
}

export interface Initialisation {
  readonly folder: DataFolder;
  readonly programs: Programs;
  readonly identity: Identity;
  readonly guard: Guard;
  /** Whether the new files must survive a power cut. */
  readonly durable: boolean;
  /** Where set, logins need this password; else whoever reaches the socket may enter. */
  readonly password: string | undefined;
}

/**
 * Makes a new database cluster in a folder aside and renames it into place when it is whole and on the disk, so that
 * a kill on the way leaves nothing that looks like a database.
 */
export async function initialise(initialisation: Initialisation): Promise<void> {
  const { folder, guard, programs, identity } = initialisation;
  await removeUnfinished(folder);
  const unfinished = join(folder.root, unfinishedPrefix + randomBytes(4).toString("hex"));
  const passwordFile = join(folder.root, `${unfinishedPrefix}password`);
  if (initialisation.password !== undefined) {
    await writeFile(passwordFile, initialisation.password, { mode: 0o600 });
  }
  const lines: string[] = [];
  const maker = await chooseMaker(identity, folder.root, programs);
  const command = commandAs(
    maker,
    programs,
    programs.initdb,
    initdbArguments(initialisation, unfinished, passwordFile),
  );
  const stop: StopRequest = { signal: "SIGTERM" };
  const end = await guard.run(command, stop, (line) => lines.push(line));
  await rm(passwordFile, { force: true });
  if (end.code !== 0) {
    await removeUnfinished(folder);
    throw explainFailure(folder.root, lines);
  }
  await giveTo(identity, folder.root);
  await rename(unfinished, folder.data).catch((error) => {
    throw unusable(folder.data, error);
  });
  await flushFolder(folder.root);
}

function initdbArguments(initialisation: Initialisation, target: string, passwordFile: string): string[] {
  const login =
    initialisation.password === undefined
      ? ["--auth=trust"]
      : ["--auth=scram-sha-256", `--pwfile=${passwordFile}`];
  return [
    `--pgdata=${target}`,
    `--username=${databaseUser}`,
    "--encoding=UTF8",
    // Sorts by code point on every machine alike, whatever libraries it has, and still tells upper from lower case.
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--data-checksums",
    "--no-instructions",
    ...(initialisation.durable ? [] : ["--no-sync"]),
    ...login,
  ];
}

async function removeUnfinished(folder: DataFolder): Promise<void> {
  for (const name of await readdir(folder.root)) {
    if (name.startsWith(unfinishedPrefix))
      await rm(join(folder.root, name), { recursive: true, force: true });
  }
}

/** Puts a rename on the disk. Windows has no such call for folders and does not need it. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
