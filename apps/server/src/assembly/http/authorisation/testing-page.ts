import * as contract from "@stocktake/contract";
import { nameOf } from "../testing.ts";
import { type KindOfId, type KindOfPerson, kindsOfId, kindsOfPerson } from "./testing-people.ts";
import { expectedOf, namesIn, type Outcome, openedBy, reachOfSignedIn } from "./testing-rules.ts";

const opening = `# Who reaches what

Made from the contract by \`npm run access\`: a test makes every one of these calls, compares what comes of it with this
page, and a refused one must have changed nothing. A call without an expectation fails it.

| person | who that is |
|---|---|
| nobody | no cookie |
| revoked counter | the cookie of a counter whose invitation was revoked |
| counter | joined by an invitation; the session is running |
| counter elsewhere | the same in another store |
| former counter | joined by an invitation; the session has ended, less than 14 days ago, and the store's next one is running |
| permanent counter | signed in by name and password |
| administrator | signed in by the password |

A call names ids of the caller's own store and session (for a permanent counter and the administrator: of a store that is
being counted), of the other session of the same store (the earlier one; for the former counter the next), of
another store (for a permanent counter one that was last counted more than 14 days ago), or ids that name nothing. \`yes\` is what is done, or
refused for a reason that has nothing to do with who asks; \`own\` lists only what the caller can access. 401 is
UNAUTHENTICATED, 403 FORBIDDEN, 404 NOT_FOUND, 409 SESSION_CLOSED.
`;

const callColumn = (call: contract.CallDefinition) => `\`${nameOf(call)}\``;

function rowsOf(access: contract.Access): contract.CallDefinition[] {
  return contract.allCalls
    .filter((call) => call.access === access)
    .toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
}

function textOf(outcome: Outcome): string {
  return outcome === "done" ? "yes" : outcome.slice(0, 3);
}

/** What a person gets, by whose ids the call names; equal outcomes are said together. */
function cellOf(call: contract.CallDefinition, person: KindOfPerson): string {
  const outcomes = kindsOfId.map((ids): [KindOfId, string] => [ids, textOf(expectedOf(call, person, ids))]);
  const [own = "", ...others] = outcomes.map(([, text]) => text);
  const isList = reachOfSignedIn.get(call) === "list" || reachOfSignedIn.get(call) === "stream";
  if (isList && own === "yes" && person !== "administrator") return "own";
  if (others.every((text) => text === own)) return own;
  if (others.slice(0, -1).every((text) => text === own)) return `${own}, missing ${others.at(-1)}`;
  if (new Set(others).size === 1) return `own ${own}, else ${others[0]}`;
  return outcomes.map(([ids, text]) => `${ids} ${text}`).join(", ");
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, header.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

function publicTable(): string {
  const rows = rowsOf("public").map((call) => [callColumn(call), openedBy.get(call) ?? ""]);
  return table(["call", "what opens it"], rows);
}

function signedInTable(): string {
  const rows = rowsOf("signed-in").map((call) => [
    callColumn(call),
    ...kindsOfPerson.map((person) => cellOf(call, person)),
  ]);
  return table(["call", ...kindsOfPerson], rows);
}

function adminTable(): string {
  const rows = rowsOf("admin").map((call) => [callColumn(call), namesIn(call).join(", ")]);
  return table(["call", "ids that it names"], rows);
}

/** docs/AUTHORISATION.md. */
export function describeAuthorisation(): string {
  return [
    opening,
    "## Without a login\n",
    publicTable(),
    "## Signed in\n",
    signedInTable(),
    "## Administrator alone\n",
    "Nobody and a revoked counter get 401 and every counter 403, whatever ids the call names and whatever its body holds; " +
      "the administrator gets 404 for an id that names nothing.\n",
    adminTable(),
  ].join("\n");
}
