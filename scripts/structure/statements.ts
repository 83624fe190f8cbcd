import { isInKernel, partOf } from "./floors.ts";
import type { SourceFile } from "./modules.ts";
import type { Importers } from "./sharing.ts";
import { isNode, nodesUnder, type SyntaxNode } from "./syntax.ts";

/*
 * "A statement that one use case runs may lie in its file; one that several files run lies in its slice's queries.ts, or in the queries
 * file of its subject; routes.ts, present.ts, kernel and assembly hold none."
 * "Use cases publish events, after their transaction has committed; routes never do."
 * database/ is how statements reach PostgreSQL (pool, listening, migrations), and so is left out of the first.
 */

const builders = ["selectFrom", "insertInto", "updateTable", "deleteFrom", "mergeInto"];
const queriesFile = /\/(?:[a-z-]+-)?queries\.ts$/;
const routesFile = /(?:\/|-)routes\.ts$/;
const presentFile = /\/present\.ts$/;

function calledMember(node: SyntaxNode & Record<string, unknown>): string | null {
  const { callee } = node;
  if (node.type !== "CallExpression" || !isNode(callee) || callee.type !== "MemberExpression") return null;
  const { property } = callee;
  return isNode(property) && typeof property.name === "string" ? property.name : null;
}

function isStatement(node: SyntaxNode & Record<string, unknown>): boolean {
  const { tag } = node;
  if (node.type === "TaggedTemplateExpression" && isNode(tag)) return tag.name === "sql";
  return builders.includes(calledMember(node) ?? "");
}

function holdsStatement(node: unknown): boolean {
  return [...nodesUnder(node)].some(isStatement);
}

/** The exported functions and classes of a file that hold a statement themselves. */
function exportedStatements({ program }: SourceFile): string[] {
  return program.body.flatMap((node) => {
    if (node.type !== "ExportNamedDeclaration" || !holdsStatement(node.declaration)) return [];
    return declaredNames(node.declaration);
  });
}

function declaredNames(declaration: unknown): string[] {
  if (!isNode(declaration)) return [];
  const { id, declarations } = declaration;
  if (isNode(id) && typeof id.name === "string") return [id.name];
  return Array.isArray(declarations) ? declarations.flatMap(declaredNames) : [];
}

function mayHoldNone(path: string): boolean {
  const part = partOf(path);
  return routesFile.test(path) || presentFile.test(path) || part === "kernel" || part === "assembly";
}

export function checkStatements(files: readonly SourceFile[], importers: Importers): string[] {
  return files.flatMap((file) => {
    const { path, program } = file;
    if (mayHoldNone(path)) return holdsStatement(program) ? [`${path} holds a statement`] : [];
    if (isInKernel(partOf(path)) || queriesFile.test(path)) return [];
    return exportedStatements(file)
      .map((name) => ({ name, count: importers.get(`${path}#${name}`)?.size ?? 0 }))
      .filter(({ count }) => count > 1)
      .map(({ name, count }) => `${path}: ${name} holds a statement that ${count} files run`);
  });
}

export function checkEvents(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => routesFile.test(path))
    .flatMap(({ path, program }) =>
      [...nodesUnder(program)]
        .filter((node) => calledMember(node) === "publish")
        .map(() => `${path} publishes an event`),
    );
}
