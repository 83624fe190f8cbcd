import { execFileSync } from "node:child_process";
import { chmod, cp, lstat, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeTemporaryFolder } from "../database/testing.ts";
import { makeOrdinaryFolder, prepareAsOrdinary } from "../database/testing-process.ts";
import { findPackage, preparePrograms } from "./binaries.ts";

let folder: string;
let packageFolder: string;
let linkFolder: string;
beforeEach(async () => {
  folder = await makeTemporaryFolder();
  packageFolder = join(folder, "package");
  linkFolder = join(folder, "libraries");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The installed package as `npm ci --ignore-scripts` leaves it: without its symbolic links. */
async function installWithoutLinks(): Promise<void> {
  const isNoLink = async (path: string) => !(await lstat(path)).isSymbolicLink();
  await cp(findPackage(), packageFolder, { recursive: true, filter: isNoLink });
}

async function linksIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name);
}

describe("PostgreSQL's programs", () => {
  test("get the library links that an install without scripts leaves out", async () => {
    await installWithoutLinks();
    const programs = await preparePrograms(packageFolder, linkFolder);
    expect(programs.majorVersion).toBe(18);
    expect(await linksIn(join(packageFolder, "native/lib"))).toEqual(
      await linksIn(join(findPackage(), "native/lib")),
    );
  });

  test("get their links in the data folder where the package may not be written to", async () => {
    await installWithoutLinks();
    const libraries = join(packageFolder, "native/lib");
    await chmod(libraries, 0o555);
    const ownFolder = await makeOrdinaryFolder();
    const programs = JSON.parse(await prepareAsOrdinary(packageFolder, join(ownFolder, "libraries")));
    // Every program, not the server alone, which needs the fewest libraries.
    for (const program of [programs.postgres, programs.initdb, programs.pgCtl]) {
      const version = execFileSync(program, ["--version"], { env: programs.environment, encoding: "utf8" });
      expect(version).toContain("PostgreSQL");
    }
    await chmod(libraries, 0o755);
    await rm(ownFolder, { recursive: true });
    expect(programs).toMatchObject({ majorVersion: 18 });
    expect(Object.values(programs.environment).join()).toContain(join(ownFolder, "libraries"));
    expect(await linksIn(libraries)).toEqual([]);
  });

  test("that find no loader, as on a Linux without glibc, lead to DATABASE_URL", async () => {
    await mkdir(join(packageFolder, "native/bin"), { recursive: true });
    const program = join(packageFolder, "native/bin/postgres");
    await writeFile(program, "#!/lib/ld-linux-of-another-libc.so\n", { mode: 0o755 });
    await expect(preparePrograms(packageFolder, linkFolder)).rejects.toMatchObject({
      reason: "UNSUPPORTED_SYSTEM",
      message: expect.stringMatching(/Alpine.*Set DATABASE_URL/s),
    });
  });

  test.each([
    { platform: "freebsd", arch: "x64" },
    { platform: "linux", arch: "riscv64" },
  ])("that are not made for $platform on $arch lead to DATABASE_URL", (system) => {
    expect(() => findPackage(system)).toThrow(/no PostgreSQL is packaged for .*Set DATABASE_URL/s);
  });

  test("that were not installed lead to npm ci and DATABASE_URL", () => {
    const other =
      process.platform === "darwin"
        ? { platform: "linux", arch: "x64" }
        : { platform: "darwin", arch: "x64" };
    expect(() => findPackage(other)).toThrow(/not installed; run npm ci .*Set DATABASE_URL/s);
  });
});
