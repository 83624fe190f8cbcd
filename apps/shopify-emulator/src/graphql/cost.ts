import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import type { Clock } from "../clock.ts";
import type { Settings } from "../settings.ts";

const MUTATION_COST = 10;
const CONNECTION_COST = 2;

/**
 * How many times the rows of a connection count: 1 for one row, 3 for five, 11 for 250 in recorded responses,
 * which this curve meets; the platform documents that large pages are priced below their row count.
 */
function sizeFactor(rows: number): number {
  return rows <= 0 ? 0 : Math.max(1, Math.floor(2 * Math.log(rows)));
}

/** Variables of a call, as they came. */
export type Variables = Readonly<Record<string, unknown>>;

function at(data: unknown, key: string): unknown {
  return typeof data === "object" && data !== null && key in data ? Reflect.get(data, key) : undefined;
}

/** Prices one operation; without data what it asks for, with data what came back. */
class Pricing {
  private readonly schema: GraphQLSchema;
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  private readonly variables: Variables;
  private readonly actual: boolean;

  constructor(schema: GraphQLSchema, document: DocumentNode, variables: Variables, actual: boolean) {
    this.schema = schema;
    this.variables = variables;
    this.actual = actual;
    this.fragments = new Map(
      document.definitions.flatMap((definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
      ),
    );
  }

  /** Fields add up; of the fragments on different types only one can apply, so the dearest counts. */
  selections(set: SelectionSetNode, type: GraphQLCompositeType, data: unknown, free = false): number {
    let sum = 0;
    let dearest = 0;
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        sum += this.field(selection, type, data, free);
        continue;
      }
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : this.fragments.get(selection.name.value);
      if (!fragment) continue;
      const condition = fragment.typeCondition && this.schema.getType(fragment.typeCondition.name.value);
      const inner = isCompositeType(condition) ? condition : type;
      dearest = Math.max(dearest, this.selections(fragment.selectionSet, inner, data, free));
    }
    return sum + dearest;
  }

  private field(field: FieldNode, parent: GraphQLCompositeType, data: unknown, free: boolean): number {
    if (!field.selectionSet || !(isObjectType(parent) || isInterfaceType(parent))) return 0;
    const definition = parent.getFields()[field.name.value];
    const type = definition && getNamedType(definition.type);
    if (!isCompositeType(type) || field.name.value === "userErrors" || type.name === "PageInfo") return 0;
    const value = at(data, field.alias?.value ?? field.name.value);
    if (this.actual && (value === null || value === undefined)) return 0;
    if (type.name.endsWith("Connection")) return this.connection(field, type, value);
    if (field.name.value === "nodes")
      return this.rows(field.selectionSet, type, value, this.size(field, "ids"));
    return (free ? 0 : 1) + this.oneOrMany(field.selectionSet, type, value);
  }

  /** A plain list is priced like one object, by its dearest. */
  private oneOrMany(set: SelectionSetNode, type: GraphQLCompositeType, value: unknown): number {
    if (!Array.isArray(value)) return this.selections(set, type, value);
    return Math.max(
      0,
      ...value.map((entry: unknown) => (entry === null ? 0 : this.selections(set, type, entry))),
    );
  }

  private connection(field: FieldNode, type: GraphQLCompositeType, value: unknown): number {
    let dearest = 0;
    for (const selection of field.selectionSet?.selections ?? []) {
      if (selection.kind !== Kind.FIELD || !selection.selectionSet || !isObjectType(type)) continue;
      const definition = type.getFields()[selection.name.value];
      const inner = definition && getNamedType(definition.type);
      const rows = at(value, selection.alias?.value ?? selection.name.value);
      if (!isCompositeType(inner) || inner.name === "PageInfo") continue;
      const asked = this.size(field, "first") || this.size(field, "last");
      const cost =
        selection.name.value === "edges"
          ? this.edges(selection.selectionSet, inner, rows, asked)
          : this.rows(selection.selectionSet, inner, rows, asked);
      dearest = Math.max(dearest, cost);
    }
    return CONNECTION_COST + dearest;
  }

  /** An edge is free: its node is what is priced. */
  private edges(set: SelectionSetNode, type: GraphQLCompositeType, value: unknown, asked: number): number {
    const count = Array.isArray(value) ? value.length : asked;
    return sizeFactor(count) * this.oneOrMany(set, type, value);
  }

  private rows(set: SelectionSetNode, type: GraphQLCompositeType, value: unknown, asked: number): number {
    const count = Array.isArray(value) ? value.filter((entry) => entry !== null).length : asked;
    return sizeFactor(count) * (1 + this.oneOrMany(set, type, value));
  }

  private size(field: FieldNode, argument: string): number {
    const node = field.arguments?.find((candidate) => candidate.name.value === argument)?.value;
    if (!node) return 0;
    const value = node.kind === Kind.VARIABLE ? this.variables[node.name.value] : undefined;
    if (node.kind === Kind.INT) return Number(node.value);
    if (node.kind === Kind.LIST) return node.values.length;
    return Array.isArray(value) ? value.length : typeof value === "number" ? value : 0;
  }
}

function priced(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
  result: { data: unknown } | null,
): number {
  const pricing = new Pricing(schema, document, variables, result !== null);
  const query = schema.getQueryType();
  if (operation.operation === "query") {
    return query ? pricing.selections(operation.selectionSet, query, result?.data) : 0;
  }
  const mutations = schema.getMutationType()?.getFields();
  let sum = 0;
  for (const field of operation.selectionSet.selections) {
    if (field.kind !== Kind.FIELD) continue;
    sum += MUTATION_COST;
    const definition = mutations?.[field.name.value];
    const payload = definition && getNamedType(definition.type);
    if (!field.selectionSet || !isCompositeType(payload)) continue;
    const data = at(result?.data, field.alias?.value ?? field.name.value);
    // The objects directly in a payload are covered by the mutation's own price.
    sum += pricing.selections(field.selectionSet, payload, data, true);
  }
  return sum;
}

/** Points that a call asks for, known before it runs. */
export function requestedCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): number {
  return priced(schema, document, operation, variables, null);
}

/** Points that a result cost: null objects and missing rows are given back. */
export function actualCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
  data: unknown,
): number {
  return priced(schema, document, operation, variables, { data });
}

export interface ThrottleStatus {
  readonly maximumAvailable: number;
  readonly currentlyAvailable: number;
  readonly restoreRate: number;
}

/** The leaky bucket of points that one app has at one shop. */
export class CostBucket {
  private readonly clock: Clock;
  private readonly settings: Readonly<Settings>;
  private spent = 0;
  private at: number;

  constructor(clock: Clock, settings: Readonly<Settings>) {
    this.clock = clock;
    this.settings = settings;
    this.at = clock();
  }

  status(): ThrottleStatus {
    this.restore();
    const { maximumAvailable, restoreRate } = this.settings;
    const currentlyAvailable = Math.max(0, Math.floor(maximumAvailable - this.spent));
    return { maximumAvailable, currentlyAvailable, restoreRate };
  }

  /** Takes the points, or nothing and false where too few are left. */
  take(points: number): boolean {
    if (this.status().currentlyAvailable < points) return false;
    this.spent += points;
    return true;
  }

  giveBack(points: number): void {
    this.spent = Math.max(0, this.spent - points);
  }

  /** Leaves this many points available now. */
  leave(points: number): void {
    this.restore();
    this.spent = Math.max(0, this.settings.maximumAvailable - points);
  }

  private restore(): void {
    const now = this.clock();
    // A clock that was set back takes nothing away.
    const seconds = Math.max(0, now - this.at) / 1000;
    this.spent = Math.max(0, this.spent - seconds * this.settings.restoreRate);
    this.at = now;
  }
}
