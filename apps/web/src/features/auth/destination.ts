import type { User } from "@stocktake/contract";
import type { Location } from "react-router";

/** Where a login leads: the address, and the state that its history entry had. */
export interface Destination {
  readonly to: string;
  readonly state: unknown;
}

function isLocation(value: unknown): value is Location {
  return (
    typeof value === "object" && value !== null && "pathname" in value && typeof value.pathname === "string"
  );
}

function cameFrom(state: unknown): Location | null {
  if (typeof state !== "object" || state === null || !("from" in state)) return null;
  return isLocation(state.from) ? state.from : null;
}

/** The page a person came from where their role may see it, otherwise their dashboard. */
export function destinationAfterLogin(role: User["role"], loginState: unknown): Destination {
  const home = role === "admin" ? "/admin" : "/counter";
  const from = cameFrom(loginState);
  if (from === null || !(from.pathname === home || from.pathname.startsWith(`${home}/`))) {
    return { to: home, state: null };
  }
  return { to: `${from.pathname}${from.search ?? ""}${from.hash ?? ""}`, state: from.state };
}
