import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { makeTemporaryFolder } from "../database/testing.ts";
import {
  isAlive,
  makeOrdinaryFolder,
  postmasterOf,
  query,
  startServerProcess,
} from "../database/testing-process.ts";
import { findPackage, type Programs, preparePrograms } from "./binaries.ts";
import { startEmbeddedPostgres } from "./embedded.ts";
import { canReach, chooseIdentity, commandAs, databaseUid, nobody } from "./unprivileged.ts";

let folder: string;
let programs: Programs;
beforeEach(async () => {
  folder = await makeTemporaryFolder();
  programs = await preparePrograms(findPackage(), join(folder, "libraries"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function allowsNamespaces(): boolean {
  const { file, args, options } = commandAs({ kind: "namespace" }, programs, programs.postgres, [
    "--version",
  ]);
  try {
    execFileSync(file, args, { ...options, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe("PostgreSQL", () => {
  const some = {
    postgres: "/pg/postgres",
    initdb: "",
    pgCtl: "",
    environment: { LC_ALL: "C" },
    majorVersion: 18,
  };

  test("runs as whoever runs the server", () => {
    const command = commandAs({ kind: "self" }, some, some.postgres, ["-D", "data"]);
    expect(command).toEqual({
      file: "/pg/postgres",
      args: ["-D", "data"],
      options: { env: { LC_ALL: "C" } },
    });
  });

  test("runs as another user by that user's ids", () => {
    const command = commandAs({ kind: "user", uid: 5, gid: 6 }, some, some.postgres, []);
    expect(command.options).toEqual({ env: { LC_ALL: "C" }, uid: 5, gid: 6 });
  });

  test("runs as nobody inside a user namespace", () => {
    const { file, args } = commandAs({ kind: "namespace" }, some, some.postgres, ["-D", "data"]);
    expect([file, ...args].join(" ")).toBe(
      "unshare --user --map-user=65534 --map-group=65534 /pg/postgres -D data",
    );
  });

  test("is not made another's where the server's user is no root", async () => {
    expect(await chooseIdentity(folder, programs, 1000)).toEqual({ kind: "self" });
  });
});

describe("root", () => {
  // Injected: where the tests run as an ordinary user, that user takes the place of the folder's owner.
  const ROOT = 0;

  test("steps down to a user who can reach the programs and the folder", async () => {
    const database = join(folder, "postgres");
    await mkdir(database);
    const { uid } = await stat(database);
    const user =
      uid === ROOT ? { uid: databaseUid, gid: databaseUid } : { uid, gid: (await stat(database)).gid };
    const isReachable = await canReach(user, findPackage());
    const chosen = await chooseIdentity(database, programs, ROOT).catch(() => ({ kind: "none" }));
    const otherwise = { kind: allowsNamespaces() ? "namespace" : "none" };
    expect(chosen).toEqual(isReachable ? { kind: "user", ...user } : otherwise);
    expect((await stat(database)).uid).toBe(isReachable ? user.uid : uid);
  });

  test("under a closed home is nobody by name alone, or says what to do where the system forbids that", async () => {
    const home = join(folder, "home");
    const database = join(home, "postgres");
    await mkdir(database, { recursive: true });
    await chmod(home, 0o700);
    const { uid } = await stat(home);
    const chosen = await chooseIdentity(database, programs, ROOT).then(
      ({ kind }) => kind,
      (error) => String(error),
    );
    if (uid !== ROOT) expect(chosen).toBe("user");
    else if (allowsNamespaces()) expect(chosen).toBe("namespace");
    else expect(chosen).toContain("Start the server as an ordinary user");
  });

  test("keeps its database from every other user, nobody among them, also one that an earlier release gave to nobody", async () => {
    const dataDir = await mkdtemp(join("/var/tmp", "stocktake-root-"));
    await chmod(dataDir, 0o755);
    const database = join(dataDir, "postgres");
    const parts = [database, join(database, "data/base"), join(database, "sockets")];
    const ownersOf = async () => (await Promise.all(parts.map((path) => stat(path)))).map(({ uid }) => uid);
    const { uid } = await stat(dataDir);
    const isReachable = await canReach({ uid: databaseUid, gid: databaseUid }, findPackage());
    const owner = uid === ROOT && isReachable ? databaseUid : uid;

    const { connection, stop } = await startEmbeddedPostgres({ dataDir });
    expect(await ownersOf()).toEqual([owner, owner, owner]);
    expect((await stat(database)).mode & 0o777).toBe(0o700);
    await query(connection, "CREATE TABLE kept (what text)");
    await stop();

    if (uid === ROOT) execFileSync("chown", ["-R", `${nobody}:${nobody}`, database]);
    const again = await startEmbeddedPostgres({ dataDir });
    expect(await ownersOf()).toEqual([owner, owner, owner]);
    expect(await query(again.connection, "SELECT count(*)::int AS rows FROM kept")).toEqual([{ rows: 0 }]);
    await again.stop();
    await rm(dataDir, { recursive: true });
  });

  test("gets a working database under a closed home", async () => {
    const home = join(folder, "home");
    await mkdir(home, { mode: 0o700 });
    const isRoot = (await stat(home)).uid === ROOT;
    const starting = startEmbeddedPostgres({ dataDir: join(home, "data") });
    if (isRoot && !allowsNamespaces()) return expect(starting).rejects.toMatchObject({ reason: "FAILED" });
    const { connection, stop } = await starting;
    expect(await query(connection, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await stop();
  });
});

describe("an ordinary user", () => {
  test("runs the database as itself, and keeps its folder when root has run it in between", async () => {
    const dataDir = await makeOrdinaryFolder();
    const first = await startServerProcess(dataDir, { ordinary: true });
    expect(first.said).toMatchObject({ kind: "started", uid: expect.not.closeTo(0) });
    await first.kill();
    const { uid } = await stat(join(dataDir, "postgres/data"));

    await (await startEmbeddedPostgres({ dataDir })).stop();
    expect((await stat(join(dataDir, "postgres/data"))).uid).toBe(uid);

    const again = await startServerProcess(dataDir, { ordinary: true });
    expect(again.said.kind).toBe("started");
    const postmaster = postmasterOf(dataDir);
    await again.kill();
    await vi.waitFor(() => expect(isAlive(postmaster)).toBe(false));
    await rm(dataDir, { recursive: true, force: true });
  });

  test("without the right to write to the data folder is told so, and the server ends with 1", async () => {
    const dataDir = await makeOrdinaryFolder();
    await chmod(dataDir, 0o555);
    const { said, process } = await startServerProcess(dataDir, { ordinary: true });
    expect(said).toMatchObject({ kind: "failed", reason: "NOT_WRITABLE" });
    await expect.poll(() => process.exitCode).toBe(1);
    await rm(dataDir, { recursive: true, force: true });
  });
});
