import { parseSync } from "vite";
import { isNode, type SyntaxNode } from "../structure/syntax.ts";
import { applyChange, type Change } from "./mutant.ts";

/*
 * Many mutants in one text: each changed function has a copy for each of its changes, and begins by asking
 * `globalThis.mutant` which copy is to run. So tests load what they need once for many mutants.
 */

type Node = SyntaxNode & Record<string, unknown>;

/** A function that can have copies. */
interface Switchable {
  readonly form: "function" | "method" | "constant";
  readonly whole: SyntaxNode;
  readonly name: SyntaxNode;
  /** What a constant is set to; the body of another. */
  readonly inner: SyntaxNode;
  readonly generator: boolean;
}

function switchableIn(node: unknown): Switchable[] {
  if (!isNode(node)) return [];
  const { type, declaration, declarations, id, body, generator } = node;
  if (type === "ExportNamedDeclaration") return switchableIn(declaration);
  if (type === "FunctionDeclaration" && isNode(id) && isNode(body)) {
    return [{ form: "function", whole: node, name: id, inner: body, generator: generator === true }];
  }
  if (type === "ClassDeclaration" && isNode(body) && Array.isArray(body.body)) {
    return body.body.filter(isNode).flatMap(methodIn);
  }
  const [only] = Array.isArray(declarations) && declarations.length === 1 ? declarations.filter(isNode) : [];
  return type === "VariableDeclaration" && only !== undefined ? constantIn(node, only) : [];
}

function methodIn(node: Node): Switchable[] {
  const { type, kind, key, value } = node;
  if (type !== "MethodDefinition" || kind !== "method" || !isNode(key) || !isNode(value)) return [];
  if (!isNode(value.body)) return [];
  const generator = value.generator === true;
  return [{ form: "method", whole: node, name: key, inner: value.body, generator }];
}

function constantIn(whole: Node, { id, init }: Node): Switchable[] {
  if (!isNode(id) || !isNode(init) || init.type !== "ArrowFunctionExpression") return [];
  return [{ form: "constant", whole, name: id, inner: init, generator: false }];
}

interface Numbered {
  readonly id: number;
  readonly change: Change;
}

/** What is put where for a function that has changes. */
function editsOf(text: string, part: Switchable, changes: readonly Numbered[]): Change[] {
  const name = text.slice(part.name.start, part.name.end);
  const copyName = (id: number) => `${name}__${id}`;
  const put = (at: number, replacement: string): Change => ({ start: at, end: at, replacement, kind: "" });
  const { form, whole, inner, generator } = part;
  if (form === "constant") {
    const copies = changes.map(
      ({ id, change }) => `var ${copyName(id)} = ${innerWith(text, inner, change)};`,
    );
    const cases = changes.map(({ id }) => `globalThis.mutant === ${id} ? ${copyName(id)}(...given) : `);
    const original = text.slice(inner.start, inner.end);
    const replacement = `(...given) => ${cases.join("")}(${original})(...given)`;
    return [
      { start: inner.start, end: inner.end, replacement, kind: "" },
      put(text.length, `\n${copies.join("\n")}`),
    ];
  }
  const self = form === "method" ? "this." : "";
  const hand = generator ? "return yield* " : "return ";
  const cases = changes.map(({ id }) => `case ${id}: ${hand}${self}${copyName(id)}(...arguments);`);
  const copies = changes.map(({ id, change }) => copyOf(text, part, copyName(id), change)).join("\n");
  return [
    put(inner.start + 1, `switch (globalThis.mutant) { ${cases.join(" ")} }`),
    put(form === "method" ? whole.end : text.length, `\n${copies}\n`),
  ];
}

function innerWith(text: string, { start, end }: SyntaxNode, change: Change): string {
  const moved = { ...change, start: change.start - start, end: change.end - start };
  return applyChange(text.slice(start, end), moved);
}

/** Its name comes before all that can be changed of it. */
function copyOf(text: string, { whole, name }: Switchable, copyName: string, change: Change): string {
  const before = text.slice(whole.start, name.start);
  return `${before}${copyName}${innerWith(text, { ...whole, start: name.end }, change)}`;
}

interface Switched {
  readonly text: string;
  /** The changes that can be switched on in it; the others want a text of their own. */
  readonly ids: ReadonlySet<number>;
}

/** A text in which every change inside a function of its own can be switched on by its index. */
export function switchedText(path: string, text: string, changes: readonly Change[]): Switched {
  const parts = parseSync(path, text).program.body.flatMap(switchableIn);
  const ids = new Set<number>();
  const edits = parts.flatMap((part) => {
    const { form, whole, name, inner } = part;
    const from = form === "constant" ? inner.start : name.end;
    const own = changes.flatMap((change, id): Numbered[] =>
      change.start >= from && change.end <= whole.end ? [{ id, change }] : [],
    );
    for (const { id } of own) ids.add(id);
    return own.length === 0 ? [] : editsOf(text, part, own);
  });
  const ordered = edits
    .map((edit, index) => ({ edit, index }))
    .sort((one, other) => other.edit.start - one.edit.start || other.index - one.index);
  return { text: ordered.reduce((changed, { edit }) => applyChange(changed, edit), text), ids };
}
