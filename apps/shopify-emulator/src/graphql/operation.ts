import {
  type DirectiveNode,
  type DocumentNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
} from "graphql";
import type { Call } from "../faults.ts";
import type { Variables } from "./cost.ts";

/** One call as it came in, understood far enough to match faults, price it and find its key. */
export interface ReadOperation extends Call {
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
  readonly variables: Variables;
  /** Of the @idempotent directive; undefined without one. */
  readonly key: string | undefined;
}

interface RequestBody {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Variables;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readBody(body: string): RequestBody | null {
  const parsed: unknown = JSON.parse(body);
  if (!isRecord(parsed) || typeof parsed.query !== "string") return null;
  return {
    query: parsed.query,
    operationName: typeof parsed.operationName === "string" ? parsed.operationName : null,
    variables: isRecord(parsed.variables) ? parsed.variables : {},
  };
}

function keyOf(directives: readonly DirectiveNode[], variables: Variables): string | undefined {
  const directive = directives.find((candidate) => candidate.name.value === "idempotent");
  const value = directive?.arguments?.find((argument) => argument.name.value === "key")?.value;
  if (value?.kind === Kind.STRING) return value.value;
  const given = value?.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
  return typeof given === "string" ? given : undefined;
}

/** Null for a body that GraphQL itself has to refuse: not JSON, no query, not parsable, no such operation. */
export function readOperation(body: string): ReadOperation | null {
  try {
    const request = readBody(body);
    if (!request) return null;
    const { operationName, variables } = request;
    const document = parse(request.query);
    const definition = document.definitions.find(
      (candidate) =>
        candidate.kind === Kind.OPERATION_DEFINITION &&
        (operationName === null || candidate.name?.value === operationName),
    );
    if (definition?.kind !== Kind.OPERATION_DEFINITION || definition.operation === "subscription")
      return null;
    const fields = definition.selectionSet.selections.flatMap((field) =>
      field.kind === Kind.FIELD ? [field] : [],
    );
    return {
      document,
      definition,
      variables,
      operation: definition.name?.value ?? null,
      kind: definition.operation,
      fields: fields.map((field) => field.name.value),
      key: keyOf(
        fields.flatMap((field) => field.directives ?? []),
        variables,
      ),
    };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof GraphQLError) return null;
    throw error;
  }
}
