import type { Change } from "./mutant.ts";

/** A part of a statement; a hole is what `${…}` puts in. */
interface Token {
  readonly kind: "word" | "text" | "hole" | "open" | "close" | "comma" | "other";
  /** In lower case. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const lexeme = /'(?:[^']|'')*'|"[^"]*"|[A-Za-z_][\w.]*|\d+|[()[\],]|::|[-<>=|+*/%@]+|\S/y;

function kindOf(text: string): Token["kind"] {
  if (/^[A-Za-z_"]/.test(text)) return "word";
  if (text.startsWith("'")) return "text";
  if (text === "(" || text === "[") return "open";
  if (text === ")" || text === "]") return "close";
  return text === "," ? "comma" : "other";
}

function tokensOf(source: string, statement: Range, holes: readonly Range[]): Token[] {
  const tokens: Token[] = [];
  let at = statement.start;
  while (at < statement.end) {
    const hole = holes.find(({ start }) => start === at);
    if (hole !== undefined) {
      tokens.push({ kind: "hole", text: "", ...hole });
      at = hole.end;
      continue;
    }
    lexeme.lastIndex = at;
    const text = /\s/.test(source[at] ?? "") ? undefined : lexeme.exec(source)?.[0];
    if (text !== undefined) {
      tokens.push({ kind: kindOf(text), text: text.toLowerCase(), start: at, end: at + text.length });
    }
    at += text?.length ?? 1;
  }
  return tokens;
}

const operandEnds = new Set(
  (
    "and or group order returning for limit offset on do set union left right join inner cross where having then else " +
    "when end from as filter window except"
  ).split(" "),
);

/** What follows an `or` may hold several conditions. */
const alternativeEnds = new Set([...operandEnds].filter((word) => word !== "and"));

/** The index after the operand that begins at `from`: a condition, an assignment, whatever ends at the same depth. */
function operandEnd(tokens: readonly Token[], from: number, ends: ReadonlySet<string>, comma = true): number {
  let depth = 0;
  let between = false;
  for (let index = from; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined) break;
    if (token.kind === "open") depth += 1;
    if (token.kind === "close") depth -= 1;
    if (depth < 0) return index;
    if (depth > 0) continue;
    if (token.text === "between") between = true;
    if (token.text === "and" && between) {
      between = false;
      continue;
    }
    const isDistinctFrom = token.text === "from" && tokens[index - 1]?.text === "distinct";
    if (comma && token.kind === "comma") return index;
    if (index > from && token.kind === "word" && ends.has(token.text) && !isDistinctFrom) return index;
  }
  return tokens.length;
}

type Make = (from: Token | undefined, to: Token | undefined, replacement: string, kind: string) => Change[];

const make: Make = (from, to, replacement, kind) =>
  from === undefined || to === undefined ? [] : [{ start: from.start, end: to.end, replacement, kind }];

/** Each condition of a chain is dropped once: the first by what leaves the others to decide. */
function dropConditions(tokens: readonly Token[], index: number): Change[] {
  const token = tokens[index];
  const kind = "condition dropped";
  if (token?.text === "and" || token?.text === "or") {
    if (isOfBetween(tokens, index)) return [];
    const end = operandEnd(tokens, index + 1, token.text === "or" ? alternativeEnds : operandEnds);
    return make(token, tokens[end - 1], "", kind);
  }
  const opensGroup = token?.text === "(";
  const beginsChain = opensGroup || ["where", "when", "having", "on"].includes(token?.text ?? "");
  if (!beginsChain || tokens[index + 1]?.text === "conflict") return [];
  const end = operandEnd(tokens, index + 1, operandEnds);
  const next = tokens[end]?.text;
  if (opensGroup && next !== "and" && next !== "or") return [];
  if (opensGroup && tokens[index + 1]?.text === "select") return [];
  return make(tokens[index + 1], tokens[end - 1], next === "or" ? "false" : "true", kind);
}

function isOfBetween(tokens: readonly Token[], index: number): boolean {
  const before = tokens.slice(0, index).findLastIndex(({ text }) => text === "between" || text === "and");
  return tokens[before]?.text === "between";
}

const assignmentEnds = new Set(["where", "from", "returning"]);

/** Each assignment of a `set` with several is dropped once. */
function dropAssignments(tokens: readonly Token[], index: number): Change[] {
  if (tokens[index]?.text !== "set") return [];
  const parts: Range[] = [];
  let from = index + 1;
  for (;;) {
    const end = operandEnd(tokens, from, assignmentEnds);
    parts.push({ start: from, end });
    if (tokens[end]?.kind !== "comma") break;
    from = end + 1;
  }
  if (parts.length < 2) return [];
  return parts.flatMap(({ start, end }, part) => {
    const [first, last] = part === 0 ? [start, end] : [start - 1, end - 1];
    return make(tokens[first], tokens[last], "", "assignment dropped");
  });
}

const swaps: Readonly<Record<string, string>> = {
  least: "greatest",
  greatest: "least",
  min: "max",
  max: "min",
};

const operators: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "<>": "=",
  "+": "-",
  "-": "+",
};

function changeWords(tokens: readonly Token[], index: number): Change[] {
  const [token, next] = tokens.slice(index, index + 2);
  if (token === undefined) return [];
  const swapped = swaps[token.text];
  if (swapped !== undefined && next?.text === "(") return make(token, token, swapped, "function swapped");
  const operator = token.kind === "other" ? operators[token.text] : undefined;
  if (operator !== undefined) return make(token, token, operator, "operator changed");
  if (token.text === "is" && next?.text === "null")
    return make(token, next, "is not null", "condition reversed");
  if (token.text === "not" && next?.text !== "null") return make(token, token, "", "condition reversed");
  if (token.text === "desc") return make(token, token, "asc", "order reversed");
  if (token.text === "distinct" && next?.text !== "from" && next?.text !== "on") {
    return make(token, token, "", "distinct dropped");
  }
  // What a comparison is with is dropped with its condition; a member of a list is dropped by itself.
  const before = tokens[index - 1]?.text ?? "";
  const isText = token.kind === "text" && !["interval", "=", "<>"].includes(before);
  return isText ? make(token, token, "'mutant'", "text changed") : [];
}

const lockWords = new Set(["for", "no", "key", "update", "share", "of", "skip", "locked"]);

function dropLocks(tokens: readonly Token[], index: number): Change[] {
  if (tokens[index]?.text !== "for" || !lockWords.has(tokens[index + 1]?.text ?? "")) return [];
  const rest = tokens.findIndex((token, at) => at > index && !lockWords.has(token.text));
  const last = rest < 0 ? tokens.length - 1 : rest - 1;
  return make(tokens[index], tokens[last], "", "lock dropped");
}

/** The changes of one statement in a source text; `holes` are what is put into it. */
export function statementChanges(source: string, statement: Range, holes: readonly Range[]): Change[] {
  const tokens = tokensOf(source, statement, holes);
  return tokens.flatMap((_, index) => [
    ...dropConditions(tokens, index),
    ...dropAssignments(tokens, index),
    ...changeWords(tokens, index),
    ...dropLocks(tokens, index),
  ]);
}
