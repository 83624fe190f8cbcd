import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  type GraphQLNamedType,
  GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
  parse,
  print,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from "graphql";

type FieldedType = GraphQLObjectType | GraphQLInterfaceType;

/** What the documents reach: the fields used of each type, and every type that has to be written out. */
class Reach {
  private readonly schema: GraphQLSchema;
  readonly fields = new Map<string, Set<string>>();
  readonly types = new Map<string, GraphQLNamedType>();

  constructor(schema: GraphQLSchema) {
    this.schema = schema;
  }

  addDocument(text: string): void {
    const document = parse(text);
    const errors = validate(this.schema, document);
    if (errors.length > 0) throw new Error(`${errors.map(String).join("\n")}\nin\n${text}`);
    const typeInfo = new TypeInfo(this.schema);
    visit(
      document,
      visitWithTypeInfo(typeInfo, {
        Field: () => {
          const parent = typeInfo.getParentType();
          const field = typeInfo.getFieldDef();
          if (parent && field && !isUnionType(parent)) this.addField(parent, field);
        },
        InlineFragment: () => {
          const type = typeInfo.getType();
          if (type) this.addType(getNamedType(type));
        },
      }),
    );
  }

  private addField(parent: FieldedType, field: GraphQLField<unknown, unknown>): void {
    if (field.name.startsWith("__")) return;
    this.addType(parent);
    const names = this.fields.get(parent.name) ?? new Set();
    names.add(field.name);
    this.fields.set(parent.name, names);
    this.addType(getNamedType(field.type));
    for (const argument of field.args) this.addType(getNamedType(argument.type));
  }

  private addType(type: GraphQLNamedType): void {
    if (this.types.has(type.name) || isSpecifiedScalarType(type)) return;
    this.types.set(type.name, type);
    if (type instanceof GraphQLInputObjectType) {
      for (const field of Object.values(type.getFields())) this.addType(getNamedType(field.type));
    }
  }

  /** An interface or union without a reached member could not be executed: then all its members come along. */
  completeAbstractTypes(): void {
    for (const type of [...this.types.values()]) {
      if (!isAbstractType(type)) continue;
      const members = this.schema.getPossibleTypes(type);
      if (members.some((member) => this.types.has(member.name))) continue;
      for (const member of members) this.addType(member);
    }
  }

  /** A type's fields in the subset: those used, those its reached interfaces demand, and `id` for want of any. */
  fieldsOf(type: FieldedType): GraphQLField<unknown, unknown>[] {
    const names = new Set(this.fields.get(type.name));
    for (const parent of this.interfacesOf(type)) {
      for (const field of this.fieldsOf(parent)) names.add(field.name);
    }
    if (names.size === 0) names.add("id");
    return Object.values(type.getFields()).filter((field) => names.has(field.name));
  }

  interfacesOf(type: FieldedType): GraphQLInterfaceType[] {
    return type.getInterfaces().filter((parent) => this.types.has(parent.name));
  }
}

function deprecation(reason: string | undefined | null): string {
  return reason ? ` @deprecated(reason: ${JSON.stringify(reason)})` : "";
}

function inputValue(value: GraphQLArgument | GraphQLInputField): string {
  const fallback = value.defaultValue === undefined ? null : astFromValue(value.defaultValue, value.type);
  return `${value.name}: ${value.type}${fallback ? ` = ${print(fallback)}` : ""}${deprecation(value.deprecationReason)}`;
}

function fieldLine(field: GraphQLField<unknown, unknown>): string {
  const given = field.args.length > 0 ? `(${field.args.map(inputValue).join(", ")})` : "";
  return `  ${field.name}${given}: ${field.type}${deprecation(field.deprecationReason)}`;
}

function block(head: string, lines: string[]): string {
  return `${head} {\n${lines.join("\n")}\n}`;
}

function printReached(type: GraphQLNamedType, reach: Reach): string {
  if (isScalarType(type)) return `scalar ${type.name}`;
  if (isEnumType(type)) {
    const values = type.getValues().map((value) => `  ${value.name}${deprecation(value.deprecationReason)}`);
    return block(`enum ${type.name}`, values);
  }
  if (type instanceof GraphQLInputObjectType) {
    return block(
      `input ${type.name}`,
      Object.values(type.getFields()).map((field) => `  ${inputValue(field)}`),
    );
  }
  if (isUnionType(type)) {
    const members = type.getTypes().filter((member) => reach.types.has(member.name));
    return `union ${type.name} = ${members.map((member) => member.name).join(" | ")}`;
  }
  const parents = reach.interfacesOf(type).map((parent) => parent.name);
  const head = `${type instanceof GraphQLInterfaceType ? "interface" : "type"} ${type.name}`;
  return block(
    parents.length > 0 ? `${head} implements ${parents.join(" & ")}` : head,
    reach.fieldsOf(type).map(fieldLine),
  );
}

/** Interfaces of an object demand fields whose types no document names: they are reached as well. */
function closeOverInterfaces(reach: Reach): void {
  for (const type of [...reach.types.values()]) {
    if (!(type instanceof GraphQLObjectType)) continue;
    for (const field of reach.fieldsOf(type))
      reach.types.set(getNamedType(field.type).name, getNamedType(field.type));
  }
}

/**
 * The schema language of exactly the types that the documents reach: of objects and interfaces only the
 * fields used, inputs and enums whole, no descriptions. A document that the whole schema refuses throws
 * with every validation error.
 */
export function schemaSubset(schema: GraphQLSchema, documents: readonly string[]): string {
  const reach = new Reach(schema);
  for (const document of documents) reach.addDocument(document);
  reach.completeAbstractTypes();
  closeOverInterfaces(reach);
  const query = schema.getQueryType();
  const mutation = schema.getMutationType();
  const roots = block("schema", [`  query: ${query?.name}`, `  mutation: ${mutation?.name}`]);
  const types = [...reach.types.values()]
    .filter((type) => !isSpecifiedScalarType(type))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const idempotent = "directive @idempotent(key: String!) on FIELD";
  return `${[roots, idempotent, ...types.map((type) => printReached(type, reach))].join("\n\n")}\n`;
}
