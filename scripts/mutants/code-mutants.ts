import { parseSync } from "vite";
import { isNode, type SyntaxNode } from "../structure/syntax.ts";
import type { Change } from "./mutant.ts";
import { statementChanges } from "./statement-mutants.ts";

type Node = SyntaxNode & Record<string, unknown>;

interface Place {
  readonly text: string;
  readonly node: Node;
  /** From the node's parent upward. */
  readonly above: readonly Node[];
}

type Mutator = (place: Place) => Change[];

function* placesUnder(text: string, value: unknown, above: readonly Node[]): Generator<Place> {
  if (Array.isArray(value)) {
    for (const member of value) yield* placesUnder(text, member, above);
    return;
  }
  if (!isNode(value) || isLeftAlone(value)) return;
  yield { text, node: value, above };
  for (const [key, child] of Object.entries(value)) {
    if (key !== "parent" && typeof child === "object") yield* placesUnder(text, child, [value, ...above]);
  }
}

/** Types are erased, and what is imported is there or nothing runs. */
function isLeftAlone({ type }: Node): boolean {
  if (["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"].includes(type)) return false;
  return type.startsWith("TS") || type === "ImportDeclaration" || type === "ExportAllDeclaration";
}

function replaced(node: SyntaxNode, replacement: string, kind: string): Change {
  return { start: node.start, end: node.end, replacement, kind };
}

function textOf(text: string, node: unknown): string {
  return isNode(node) ? text.slice(node.start, node.end) : "";
}

function memberCalled({ type, callee }: Node): string | null {
  if (type !== "CallExpression" || !isNode(callee) || callee.type !== "MemberExpression") return null;
  const { property } = callee;
  return isNode(property) && typeof property.name === "string" ? property.name : null;
}

const changeStatement: Mutator = ({ text, node }) => {
  const { type, tag, quasi } = node;
  if (type !== "TaggedTemplateExpression" || !isNode(tag) || tag.name !== "sql" || !isNode(quasi)) return [];
  const expressions = Array.isArray(quasi.expressions) ? quasi.expressions.filter(isNode) : [];
  const holes = expressions.map(({ start, end }) => ({
    start: text.lastIndexOf("${", start),
    end: text.indexOf("}", end) + 1,
  }));
  return statementChanges(text, { start: quasi.start + 1, end: quasi.end - 1 }, holes);
};

/** What is done for its effect. That it is waited for is held by the linter (noFloatingPromises). */
const dropEffects: Mutator = ({ node }) => {
  const { type, expression } = node;
  if (type !== "ExpressionStatement" || !isNode(expression)) return [];
  const done = expression.type === "AwaitExpression" ? expression.argument : expression;
  const isCall = isNode(done) && done.type === "CallExpression";
  return isCall ? [replaced(expression, "undefined", "call dropped")] : [];
};

const links = new Set(
  "where whereRef forUpdate forShare forNoKeyUpdate forKeyShare skipLocked orderBy $if distinct limit filter sort toSorted".split(
    " ",
  ),
);

const otherMembers = new Map([
  ["some", "every"],
  ["every", "some"],
  ["max", "min"],
  ["min", "max"],
  ["ceil", "floor"],
  ["floor", "ceil"],
]);

const changeCall: Mutator = ({ node }) => {
  const member = memberCalled(node);
  const { callee } = node;
  if (member === null || !isNode(callee)) return [];
  const { object, property } = callee;
  if (links.has(member) && isNode(object)) {
    return [{ start: object.end, end: node.end, replacement: "", kind: `${member} dropped` }];
  }
  const other = otherMembers.get(member);
  return other !== undefined && isNode(property) ? [replaced(property, other, "member swapped")] : [];
};

const binary: Readonly<Record<string, readonly string[]>> = {
  "===": ["!=="],
  "!==": ["==="],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "&&": ["||"],
  "||": ["&&"],
  "??": ["&&"],
};

const changeOperator: Mutator = ({ text, node, above }) => {
  const { type, operator, left, right } = node;
  if (type !== "BinaryExpression" && type !== "LogicalExpression") return [];
  if (typeof operator !== "string" || !isNode(left) || !isNode(right)) return [];
  // A whole test is decided both ways already.
  const isWholeTest = above[0]?.test === node;
  if (isWholeTest && (operator === "===" || operator === "!==")) return [];
  const start = text.indexOf(operator, left.end);
  return (binary[operator] ?? []).map((replacement) => ({
    start,
    end: start + operator.length,
    replacement,
    kind: "operator changed",
  }));
};

const changeSign: Mutator = ({ text, node, above }) => {
  const { type, operator, argument } = node;
  if (above[0]?.test === node) return [];
  if (type !== "UnaryExpression" || (operator !== "!" && operator !== "-")) return [];
  return [replaced(node, textOf(text, argument), "operator dropped")];
};

const decide: Mutator = ({ node }) => {
  const { type, test } = node;
  if ((type !== "IfStatement" && type !== "ConditionalExpression") || !isNode(test)) return [];
  return ["true", "false"].map((decision) => replaced(test, decision, "condition decided"));
};

const textPlaces = new Set([
  "Property",
  "BinaryExpression",
  "ReturnStatement",
  "ConditionalExpression",
  "ArrayExpression",
]);
const columnCalls = new Set(["select", "returning", "groupBy", "columns"]);

/** Words that decide something. Sentences are held by the tests of the specification, columns by their tables' types. */
const changeLiteral: Mutator = ({ node, above }) => {
  const { type, value } = node;
  const [parent] = above;
  if (type !== "Literal" || parent === undefined) return [];
  if (typeof value === "boolean") return [replaced(node, String(!value), "boolean reversed")];
  if (typeof value === "number" && value > 1 && parent.type !== "MemberExpression") {
    return [replaced(node, String(value + 1), "number raised")];
  }
  if (typeof value !== "string" || !/^\S+$/.test(value) || !textPlaces.has(parent.type)) return [];
  if (parent.type === "Property" && parent.value !== node) return [];
  const namesColumns =
    parent.type === "ArrayExpression" && columnCalls.has(memberCalled(above[1] ?? node) ?? "");
  return namesColumns ? [] : [replaced(node, '"mutant"', "text changed")];
};

/** What is written into a row or into the audit log. */
const dropProperty: Mutator = ({ text, node, above }) => {
  const [parent] = above;
  if (parent?.type !== "ObjectExpression" || !Array.isArray(parent.properties)) return [];
  const { properties } = parent;
  const writes = above.some(
    (outer) => memberCalled(outer) === "set" || (isNode(outer.callee) && outer.callee.name === "recordAudit"),
  );
  if (!writes || properties.length < 2) return [];
  const end = text.startsWith(",", node.end) ? node.end + 1 : node.end;
  const isLast = properties.at(-1) === node && end === node.end;
  const start = isLast ? text.lastIndexOf(",", node.start) : node.start;
  return [{ start, end, replacement: "", kind: "property dropped" }];
};

const mutators: readonly Mutator[] = [
  changeStatement,
  dropEffects,
  changeCall,
  changeOperator,
  changeSign,
  decide,
  changeLiteral,
  dropProperty,
];

/** Every change that is tried of a source file, in the order of its text. */
export function changesOf(path: string, text: string): Change[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} can't be parsed: ${errors[0]?.message}`);
  const changes = [...placesUnder(text, program.body, [])].flatMap((place) =>
    mutators.flatMap((mutator) => mutator(place)),
  );
  const known = new Map(
    changes.map((change) => [`${change.start} ${change.end} ${change.replacement}`, change]),
  );
  return [...known.values()].sort((one, other) => one.start - other.start);
}
