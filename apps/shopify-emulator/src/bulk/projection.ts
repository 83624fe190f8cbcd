import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLNamedType,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  Kind,
  parse,
  type SelectionSetNode,
  validate,
} from "graphql";

type Row = Record<string, unknown>;

/** Writes one selected field of a source into its row. */
type Step = (source: object, row: Row) => void;

interface NestedConnection {
  readonly rows: (source: object) => Iterable<object>;
  readonly projection: Projection;
}

interface Projection {
  readonly steps: readonly Step[];
  readonly nested: readonly NestedConnection[];
}

interface BulkLine {
  readonly row: Row;
  readonly isRoot: boolean;
}

/** A compiled query: every line of its result in order, from the root object. */
export type BulkQuery = (root: object) => Generator<BulkLine>;

const MAXIMUM_CONNECTIONS = 5;
const MAXIMUM_DEPTH = 2;

/** Why a query cannot be run in bulk; the message is the platform's user error. */
export class BulkQueryError extends Error {}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** A field of a view is a property, or a method that takes the field's arguments. */
function read(source: object, name: string, args: object): unknown {
  const value: unknown = Reflect.get(source, name);
  return typeof value === "function" ? Reflect.apply(value, source, [args]) : value;
}

function fieldsOf(type: GraphQLCompositeType): Record<string, GraphQLField<unknown, unknown>> {
  return type instanceof GraphQLObjectType || isInterfaceType(type) ? type.getFields() : {};
}

function isList(type: GraphQLOutputType): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type);
}

function isConnection(type: GraphQLNamedType): type is GraphQLObjectType {
  return type instanceof GraphQLObjectType && type.name.endsWith("Connection");
}

/**
 * Compiles a bulk query once into plain steps, because executing it variant by variant through GraphQL
 * takes ten times as long for a large catalogue.
 */
class Compiler {
  private readonly schema: GraphQLSchema;
  private connections = 0;

  constructor(schema: GraphQLSchema) {
    this.schema = schema;
  }

  selections(set: SelectionSetNode, type: GraphQLCompositeType, depth: number): Projection {
    const steps: Step[] = [];
    const nested: NestedConnection[] = [];
    for (const selection of set.selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD)
        throw new BulkQueryError("Named fragments are not supported.");
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        this.fragment(selection.selectionSet, selection.typeCondition?.name.value, type, depth, steps);
        continue;
      }
      const field = fieldsOf(type)[selection.name.value];
      if (!field) continue;
      if (isConnection(getNamedType(field.type))) nested.push(this.connection(selection, field, depth + 1));
      else steps.push(this.step(selection, field, depth));
    }
    return { steps, nested };
  }

  private fragment(
    set: SelectionSetNode,
    condition: string | undefined,
    type: GraphQLCompositeType,
    depth: number,
    into: Step[],
  ): void {
    const named = condition === undefined ? type : this.schema.getType(condition);
    if (!isCompositeType(named)) return;
    const { steps } = this.selections(set, named, depth);
    into.push((source, row) => {
      if (condition !== undefined && Reflect.get(source, "__typename") !== condition) return;
      for (const step of steps) step(source, row);
    });
  }

  private step(node: FieldNode, field: GraphQLField<unknown, unknown>, depth: number): Step {
    const key = node.alias?.value ?? field.name;
    const args = getArgumentValues(field, node);
    const type = getNamedType(field.type);
    if (!node.selectionSet || !isCompositeType(type)) {
      return (source, row) => {
        row[key] = read(source, field.name, args) ?? null;
      };
    }
    const { steps } = this.selections(node.selectionSet, type, depth);
    const project = (source: unknown): Row | null => {
      if (!isObject(source)) return null;
      const row: Row = {};
      for (const step of steps) step(source, row);
      return row;
    };
    if (!isList(field.type)) {
      return (source, row) => {
        row[key] = project(read(source, field.name, args));
      };
    }
    return (source, row) => {
      const list = read(source, field.name, args);
      row[key] = Array.isArray(list) ? list.map(project) : null;
    };
  }

  connection(node: FieldNode, field: GraphQLField<unknown, unknown>, depth: number): NestedConnection {
    this.connections += 1;
    if (this.connections > MAXIMUM_CONNECTIONS) {
      throw new BulkQueryError(`Bulk queries cannot contain more than ${MAXIMUM_CONNECTIONS} connections.`);
    }
    if (depth > MAXIMUM_DEPTH) {
      throw new BulkQueryError(
        `Bulk queries cannot contain connections with a nesting depth greater than ${MAXIMUM_DEPTH}.`,
      );
    }
    const type = getNamedType(field.type);
    const edge = isConnection(type) ? selected(node, "edges") : null;
    const inner = edge ? selected(edge, "node") : null;
    const nodeType = isConnection(type) ? nodeTypeOf(type) : null;
    if (!inner?.selectionSet || !nodeType) {
      throw new BulkQueryError("Bulk queries must select connections as edges { node { … } }.");
    }
    const args = getArgumentValues(field, node);
    const method = `every${field.name.charAt(0).toUpperCase()}${field.name.slice(1)}`;
    return {
      rows: (source) => iterate(read(source, method, args), field.name),
      projection: this.selections(inner.selectionSet, nodeType, depth),
    };
  }
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return isObject(value) && Symbol.iterator in value;
}

function* iterate(rows: unknown, field: string): Iterable<object> {
  if (!isIterable(rows)) throw new BulkQueryError(`The stand-in shop cannot read ${field} in bulk.`);
  for (const row of rows) if (isObject(row)) yield row;
}

function selected(node: FieldNode, name: string): FieldNode | null {
  const found = node.selectionSet?.selections.find(
    (selection) => selection.kind === Kind.FIELD && selection.name.value === name,
  );
  return found?.kind === Kind.FIELD ? found : null;
}

function nodeTypeOf(connection: GraphQLObjectType): GraphQLCompositeType | null {
  const edges = connection.getFields().edges;
  const edge = edges && getNamedType(edges.type);
  const node = edge instanceof GraphQLObjectType ? edge.getFields().node : undefined;
  const type = node && getNamedType(node.type);
  return isCompositeType(type) ? type : null;
}

function parsed(query: string): DocumentNode {
  try {
    return parse(query);
  } catch (error) {
    throw new BulkQueryError(`Invalid bulk query: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Checks and compiles a bulk query; throws BulkQueryError with a message for the client. */
export function compileBulkQuery(schema: GraphQLSchema, query: string): BulkQuery {
  const document = parsed(query);
  const [first] = validate(schema, document);
  if (first) throw new BulkQueryError(`Invalid bulk query: ${first.message}`);
  const [operation] = document.definitions;
  const type = schema.getQueryType();
  if (operation?.kind !== Kind.OPERATION_DEFINITION || operation.operation !== "query" || !type) {
    throw new BulkQueryError("Bulk queries must be a single query.");
  }
  if ((operation.variableDefinitions ?? []).length > 0)
    throw new BulkQueryError("Bulk queries take no variables.");
  const { nested } = new Compiler(schema).selections(operation.selectionSet, type, 0);
  if (nested.length === 0) throw new BulkQueryError("Bulk queries must contain at least one connection.");
  return function* readLines(root) {
    for (const connection of nested) yield* connectionLines(connection, root, null);
  };
}

/** A node, then the nodes of its connections with its id as `__parentId`. */
function* connectionLines(
  { rows, projection }: NestedConnection,
  source: object,
  parentId: unknown,
): Generator<BulkLine> {
  for (const node of rows(source)) {
    const row: Row = {};
    for (const step of projection.steps) step(node, row);
    if (parentId !== null) row.__parentId = parentId;
    yield { row, isRoot: parentId === null };
    for (const nested of projection.nested) yield* connectionLines(nested, node, Reflect.get(node, "id"));
  }
}
