import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A processor that the archive is made for, as Node names it. */
export type Cpu = "x64" | "arm64";

interface Manifest {
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** The folders of npm's workspaces, as the lock file lists them. */
function workspacesOf(project: string): string[] {
  const lock: { packages: Record<string, { link?: boolean; resolved?: string }> } = JSON.parse(
    readFileSync(join(project, "package-lock.json"), "utf8"),
  );
  return Object.values(lock.packages).flatMap(({ link, resolved }) => (link && resolved ? [resolved] : []));
}

/**
 * Installs what the server needs at run time into `folder`, exactly as locked, for Linux with glibc on `cpu`, whatever
 * machine this is. Install scripts are left out: they would run for this machine.
 */
export function installFor(project: string, folder: string, cpu: Cpu): void {
  for (const part of ["", ...workspacesOf(project)]) {
    mkdirSync(join(folder, part), { recursive: true });
    cpSync(join(project, part, "package.json"), join(folder, part, "package.json"));
  }
  for (const file of ["package-lock.json", ".npmrc"]) cpSync(join(project, file), join(folder, file));
  const system = ["--os=linux", `--cpu=${cpu}`, "--libc=glibc"];
  const what = ["--omit=dev", "--ignore-scripts", "--workspace=@stocktake/server", "--prefer-offline"];
  execFileSync("npm", ["ci", ...what, ...system], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

/**
 * Copies the packages that the server is made of from the installation into `target`, leaving what is there already: npm
 * also installs what only other workspaces need. Most are built into the server (docs/decisions/2026-11-27-server-in-few-files.md)
 * and come along for their licences; those that are machine code are loaded from here.
 */
export function copyReachable(installation: string, target: string): void {
  const server = join(installation, "apps/server");
  for (const folder of reachableFrom(server, installation)) {
    const place = join(target, folder.slice(installation.length + 1));
    if (existsSync(place)) continue;
    // What lies in a package's own node_modules is reached, and so copied, for itself.
    const nested = join(folder, "node_modules");
    cpSync(folder, place, { recursive: true, filter: (path) => path !== nested });
    linkLibraries(place);
  }
}

/**
 * Makes the links of PostgreSQL's libraries, which its package lists for its install script because npm's packages can't
 * hold any: where the server runs it may not write here.
 */
function linkLibraries(folder: string): void {
  const list = join(folder, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) symlinkSync(basename(source), join(folder, target));
}

function reachableFrom(start: string, installation: string): Set<string> {
  const reached = new Set<string>();
  const waiting = [start];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const { dependencies = {}, optionalDependencies = {} } = readManifest(folder);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = findPackage(name, folder, installation);
      // Ours are bundled into the built product; optional ones may be for another system.
      if (name.startsWith("@stocktake/") || (found === null && name in optionalDependencies)) continue;
      if (found === null) throw new Error(`${name}, which ${folder} needs, is not installed.`);
      if (!reached.has(found)) waiting.push(found);
      reached.add(found);
    }
  }
  return reached;
}

/** Where Node would find the package from `folder`. */
function findPackage(name: string, folder: string, installation: string): string | null {
  for (let at = folder; at.startsWith(installation); at = dirname(at)) {
    const place = join(at, "node_modules", name);
    if (existsSync(join(place, "package.json"))) return place;
  }
  return null;
}
