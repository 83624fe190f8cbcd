import { GraphQLError, type OperationDefinitionNode, print } from "graphql";

const REFUSED_VARIABLE = /^Variable "\$(\w+)" (?:got invalid value|of (?:required|non-null) type)/;
const UNDEFINED_FIELD = /Field "(\w+)" is not defined by type "(\w+)"/;

interface Problem {
  readonly path: readonly string[];
  readonly explanation: string;
}

function problemOf(message: string): Problem {
  const [, within = ""] = /value .* at "\w+\.?([^"]*)"; /.exec(message) ?? [];
  const path = within === "" ? [] : within.split(/[.[\]]+/).filter(Boolean);
  const [, field, type] = UNDEFINED_FIELD.exec(message) ?? [];
  return field === undefined
    ? { path, explanation: message.slice(message.lastIndexOf("; ") + 1).trim() }
    : { path: [...path, field], explanation: `Field is not defined on ${type}` };
}

/**
 * The platform's wording of variables that do not fit their types: INVALID_VARIABLE with the places. Null
 * where the errors are of another kind.
 */
export function variableErrors(
  errors: readonly GraphQLError[] | undefined,
  operation: OperationDefinitionNode,
): GraphQLError[] | null {
  const refused = (errors ?? []).flatMap((error) => {
    const [, name] = REFUSED_VARIABLE.exec(error.message) ?? [];
    return name === undefined ? [] : [{ name, problem: problemOf(error.message), nodes: error.nodes }];
  });
  const [first] = refused;
  if (!first) return null;
  const definition = operation.variableDefinitions?.find(
    ({ variable }) => variable.name.value === first.name,
  );
  const type = definition ? print(definition.type) : "unknown";
  const problems = refused.map(({ problem }) => problem);
  const { path, explanation } = first.problem;
  const message = `Variable $${first.name} of type ${type} was provided invalid value for ${path.join(".")} (${explanation})`;
  return [
    new GraphQLError(message, {
      nodes: first.nodes ?? null,
      extensions: { code: "INVALID_VARIABLE", problems },
    }),
  ];
}
