import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { checkRelease } from "./release/check.ts";
import { copyDocuments } from "./release/documents.ts";
import { type Cpu, copyReachable, installFor } from "./release/production.ts";
import { versionOf } from "./release/version.ts";

/**
 * `npm run release`: one archive with the built product and what it needs at run time, for Linux on x64 and arm64. It
 * starts with Node alone, and is named for the commit that it is of. `-- --check` only tries the archive that is there; `-- --cpu x64` leaves the other processor out.
 */

const project = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const { engines } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
const version = versionOf(project);
const name = `stocktake-${version}`;
const archive = join(project, "release", `${name}.tar.gz`);

function isCpu(text: string): text is Cpu {
  return text === "x64" || text === "arm64";
}

function fill(home: string): void {
  const isNoMap = (path: string) => !path.endsWith(".map");
  for (const part of ["apps/server/dist", "apps/web/dist"])
    cpSync(join(project, part), join(home, part), { recursive: true, filter: isNoMap });
  copyDocuments(project, home);
  cpSync(join(project, "scripts/release/stocktake.js"), join(home, "stocktake.js"));
  const manifest = { name: "stocktake", version, private: true, type: "module", engines };
  writeFileSync(join(home, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

function makeRelease(cpus: readonly Cpu[]): void {
  execFileSync("npm", ["run", "--silent", "build"], { cwd: project, stdio: ["ignore", "ignore", "inherit"] });
  const work = mkdtempSync(join(tmpdir(), "stocktake-release-"));
  try {
    const home = join(work, name);
    fill(home);
    for (const cpu of cpus) {
      const installation = join(work, cpu);
      installFor(project, installation, cpu);
      copyReachable(installation, home);
    }
    mkdirSync(join(project, "release"), { recursive: true });
    // Owned by root and in one order, whoever makes it.
    const steady = ["--owner=0", "--group=0", "--numeric-owner", "--sort=name"];
    execFileSync("tar", ["-czf", archive, ...steady, "-C", work, name]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const megabytes = (statSync(archive).size / 1e6).toFixed(1);
  process.stdout.write(`${archive}: ${megabytes} MB, for Linux on ${cpus.join(" and ")}\n`);
}

const { values } = parseArgs({
  options: { check: { type: "boolean", default: false }, cpu: { type: "string", default: "x64,arm64" } },
});
const cpus = values.cpu.split(",");
if (!cpus.every(isCpu)) {
  process.stderr.write("--cpu is x64, arm64, or both, separated by a comma.\n");
  process.exit(2);
}
if (!values.check) makeRelease(cpus);
await checkRelease(archive, version);
