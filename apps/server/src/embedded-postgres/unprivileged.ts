import { execFile } from "node:child_process";
import { lchown, lstat, readdir, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { DatabaseStartError, messageOf } from "../database/errors.ts";
import type { Programs } from "./binaries.ts";
import type { Command } from "./guard.ts";

/** Who PostgreSQL runs as: another user, or ourselves under a name without rights, or simply ourselves. */
export type Identity =
  | { readonly kind: "self" }
  | { readonly kind: "user"; readonly uid: number; readonly gid: number }
  | { readonly kind: "namespace" };

/** The user without rights that every Unix has (nobody). Whatever a service runs as nobody may read what is nobody's. */
export const nobody = 65534;

/**
 * The user of root's database, and of nothing else: a number without a name, from a range that neither distributions nor
 * systemd hand out (65520 to 65533).
 */
export const databaseUid = 65521;

/** How PostgreSQL's program `file` is run as `identity`. */
export function commandAs(
  identity: Identity,
  programs: Programs,
  file: string,
  args: readonly string[],
): Command {
  const env = programs.environment;
  if (identity.kind === "user") return { file, args, options: { env, uid: identity.uid, gid: identity.gid } };
  if (identity.kind === "self") return { file, args, options: { env } };
  const wrapped = ["--user", `--map-user=${nobody}`, `--map-group=${nobody}`, file, ...args];
  return { file: "unshare", args: wrapped, options: { env: { ...env, PATH: "/usr/bin:/bin" } } };
}

/**
 * Chooses who runs PostgreSQL, which refuses root, and makes the database's folder theirs. Root steps down to the
 * folder's owner, or to a user of the database alone; where that user cannot reach the programs or the folder (a project under a home of
 * mode 0700) or the system forbids the step (a container without the right to), root keeps its identity outside and
 * is nobody inside a user namespace. Docker's default profile forbids namespaces and lets the user change, so both
 * ways are needed. Throws DatabaseStartError FAILED where neither works.
 */
export async function chooseIdentity(
  folder: string,
  programs: Programs,
  uid = process.getuid?.(),
): Promise<Identity> {
  if (uid !== 0) return { kind: "self" };
  return firstPossible([await ownerOrOwn(folder), { kind: "namespace" }], folder, programs);
}

/**
 * Who makes the new database of `identity`: initdb, other than PostgreSQL, insists that its user has a name. Inside a
 * namespace nobody else can touch the folder meanwhile. The folder is the maker's until it is given back.
 */
export async function chooseMaker(identity: Identity, folder: string, programs: Programs): Promise<Identity> {
  if (identity.kind !== "user" || identity.uid !== databaseUid) return identity;
  return firstPossible([{ kind: "namespace" }, { kind: "user", uid: nobody, gid: nobody }], folder, programs);
}

async function firstPossible(
  identities: readonly Identity[],
  folder: string,
  programs: Programs,
): Promise<Identity> {
  const obstacles: string[] = [];
  for (const identity of identities) {
    const obstacle = await tryIdentity(identity, folder, programs);
    if (obstacle === undefined) return identity;
    obstacles.push(obstacle);
  }
  throw new DatabaseStartError(
    "FAILED",
    `PostgreSQL refuses to run as root and could not be run as anybody else (${obstacles.join("; ")}). ` +
      "The data is untouched. Start the server as an ordinary user that owns the data folder, or set DATABASE_URL.",
  );
}

/** Makes `folder` and all in it `identity`'s, for PostgreSQL insists on owning its data. */
export async function giveTo(identity: Identity, folder: string): Promise<void> {
  if (identity.kind === "self") return;
  const owner = identity.kind === "user" ? identity : { uid: 0, gid: 0 };
  if ((await lstat(folder)).uid !== owner.uid) await chownTree(folder, owner);
}

/** Earlier releases gave root's database to nobody: it is taken back, unless all of the data is nobody's. */
async function ownerOrOwn(folder: string): Promise<Identity> {
  const [{ uid, gid }, outer] = await Promise.all([stat(folder), stat(dirname(folder))]);
  const isNobodys = uid === nobody && outer.uid !== nobody;
  if (uid === 0 || isNobodys) return { kind: "user", uid: databaseUid, gid: databaseUid };
  return { kind: "user", uid, gid };
}

/** What prevents running as `identity`, or undefined once the folder is theirs. */
async function tryIdentity(
  identity: Identity,
  folder: string,
  programs: Programs,
): Promise<string | undefined> {
  try {
    if (identity.kind === "user" && !(await canReach(identity, dirname(folder)))) {
      return `user ${identity.uid} cannot reach ${folder}`;
    }
    const { file, args, options } = commandAs(identity, programs, programs.postgres, ["--version"]);
    await promisify(execFile)(file, args, options);
    await giveTo(identity, folder);
    return undefined;
  } catch (error) {
    return messageOf(error).trim();
  }
}

/** Whether every folder on the way lets this user pass, going by the mode bits. */
export async function canReach(user: { uid: number; gid: number }, folder: string): Promise<boolean> {
  for (let at = await realpath(folder); ; at = dirname(at)) {
    const { mode, uid, gid } = await stat(at);
    const passBit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & passBit) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

/** The folder itself comes last: cut short, the work is still visibly undone and is done again. */
async function chownTree(folder: string, owner: { uid: number; gid: number }): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await chownTree(path, owner);
    else await lchown(path, owner.uid, owner.gid);
  }
  await lchown(folder, owner.uid, owner.gid);
}
