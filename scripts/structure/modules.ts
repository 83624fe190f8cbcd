import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type ParseResult, parseSync } from "vite";

/** One name that a file takes from another: a name, "default", or "*" for everything. */
export interface ImportedName {
  readonly from: string;
  readonly name: string;
}

/** A name that a file hands on from another one; name "*" and as "*" hand on everything. */
export interface ReExport extends ImportedName {
  readonly as: string;
}

export interface SourceFile {
  /** From the root, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly program: ParseResult["program"];
  /** Names declared here and exported. */
  readonly exports: readonly string[];
  readonly imports: readonly ImportedName[];
  readonly reExports: readonly ReExport[];
}

export const packages = ["apps/server", "apps/web", "packages/contract", "apps/shopify-emulator"];
const testing = /(?:\.(?:test|spec|proof)\.tsx?$)|(?:^|\/)testing(?:[-/]|\.tsx?$)/;
const source = /\.tsx?$/;
const workspaces: Record<string, string> = {
  "@stocktake/contract": "packages/contract/src/index.ts",
  "@stocktake/shopify-emulator": "apps/shopify-emulator/src/index.ts",
};

export function filesUnder(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return ["node_modules", "dist"].includes(entry.name) ? [] : filesUnder(root, path);
    return [path];
  });
}

/** The source of the four packages, tests and what only tests use left out. */
export function readSources(root: string): Map<string, SourceFile> {
  const paths = packages
    .flatMap((name) => filesUnder(root, `${name}/src`))
    .filter((path) => source.test(path) && !path.endsWith(".d.ts") && !testing.test(path));
  const known = new Set(paths);
  return new Map(paths.map((path) => [path, readSource(root, path, known)]));
}

function readSource(root: string, path: string, known: ReadonlySet<string>): SourceFile {
  const text = readFileSync(join(root, path), "utf8");
  const { program, module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} can't be parsed: ${errors[0]?.message}`);
  const resolve = (specifier: string) => resolveImport(root, path, specifier, known);
  const exported = module.staticExports.flatMap(({ entries }) => entries);
  const imports = [
    ...module.staticImports.flatMap(({ moduleRequest, entries }) => {
      const names = entries.flatMap(({ importName, localName }) =>
        importName.kind === "NamespaceObject" ? membersUsed(text, localName.value) : [nameOf(importName)],
      );
      if (entries.length === 0) names.push("*");
      return names.map((name) => ({ from: moduleRequest.value, name }));
    }),
    ...module.dynamicImports.map(({ moduleRequest }) => ({
      from: text.slice(moduleRequest.start, moduleRequest.end).replaceAll(/["'`]/g, ""),
      name: "*",
    })),
    ...[...text.matchAll(/typeof import\("([^"]+)"\)/g)].map(([, from = ""]) => ({ from, name: "*" })),
  ].flatMap(({ from, name }) => resolve(from).map((file) => ({ from: file, name })));
  return {
    path,
    text,
    program,
    exports: exported
      .filter(({ moduleRequest }) => moduleRequest === null)
      .map(({ exportName }) => nameOf(exportName)),
    imports,
    reExports: exported.flatMap(({ moduleRequest, importName, exportName }) =>
      resolve(moduleRequest?.value ?? "").map((from) => ({
        from,
        name: nameOf(importName),
        as: nameOf(exportName),
      })),
    ),
  };
}

/** Of everything that a file takes under one name, what it uses. */
function membersUsed(text: string, name: string): string[] {
  return [
    ...new Set([...text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, "g"))].map(([, member = ""]) => member)),
  ];
}

function nameOf({ kind, name }: { readonly kind: string; readonly name: string | null }): string {
  if (kind === "Default") return "default";
  return name ?? "*";
}

function resolveImport(root: string, from: string, specifier: string, known: ReadonlySet<string>): string[] {
  const workspace = workspaces[specifier];
  if (workspace !== undefined) return [workspace];
  if (!specifier.startsWith(".")) return [];
  const target = relative(root, join(root, dirname(from), specifier.replace(/\?.*$/, ""))).replaceAll(
    "\\",
    "/",
  );
  const candidates = [target, `${target}.ts`, `${target}.tsx`, `${target}/index.ts`];
  return candidates.filter((candidate) => known.has(candidate)).slice(0, 1);
}

/** Follows re-exports to the file that declares the name. */
export function declarationOf(
  sources: ReadonlyMap<string, SourceFile>,
  { from, name }: ImportedName,
  seen: ReadonlySet<string> = new Set(),
): ImportedName[] {
  const file = sources.get(from);
  if (file === undefined || seen.has(from)) return [];
  const visited = new Set([...seen, from]);
  if (name === "*") {
    const own = file.exports.map((exported) => ({ from, name: exported }));
    const handedOn = file.reExports.flatMap((reExport) => declarationOf(sources, reExport, visited));
    return own.length + handedOn.length === 0 ? [{ from, name }] : [...own, ...handedOn];
  }
  if (file.exports.includes(name)) return [{ from, name }];
  return file.reExports
    .filter((reExport) => reExport.as === name || (reExport.as === "*" && reExport.name === "*"))
    .flatMap((reExport) =>
      declarationOf(
        sources,
        { from: reExport.from, name: reExport.as === "*" ? name : reExport.name },
        visited,
      ),
    );
}
