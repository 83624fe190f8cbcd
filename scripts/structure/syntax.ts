/** What every node of the syntax tree has. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

export function isNode(value: unknown): value is SyntaxNode & Record<string, unknown> {
  return typeof value === "object" && value !== null && "type" in value && "start" in value && "end" in value;
}

/** Every node below the given one, itself included. */
export function* nodesUnder(value: unknown): Generator<SyntaxNode & Record<string, unknown>> {
  if (Array.isArray(value)) {
    for (const member of value) yield* nodesUnder(member);
    return;
  }
  if (!isNode(value)) return;
  yield value;
  for (const [key, child] of Object.entries(value)) {
    if (key !== "parent" && typeof child === "object") yield* nodesUnder(child);
  }
}
