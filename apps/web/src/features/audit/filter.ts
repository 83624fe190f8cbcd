import { AuditAction } from "@stocktake/contract";

/** What the page shows; empty texts mean everything. Days are of the browser's zone, as date fields give them. */
export interface AuditFilter {
  readonly session: string;
  readonly action: string;
  readonly actor: string;
  readonly from: string;
  readonly to: string;
}

const names = ["session", "action", "actor", "from", "to"] as const;
const day = /^\d{4}-\d\d-\d\d$/;

/** The filter as the address of the page names it. */
export function filterIn(search: URLSearchParams): AuditFilter {
  const [session = "", action = "", actor = "", from = "", to = ""] = names.map(
    (name) => search.get(name) ?? "",
  );
  return {
    session,
    action: isAction(action) ? action : "",
    actor,
    from: day.test(from) ? from : "",
    to: day.test(to) ? to : "",
  };
}

/** The address's part that names the filter. */
export function searchOf(filter: AuditFilter): URLSearchParams {
  return new URLSearchParams(names.flatMap((name) => (filter[name] === "" ? [] : [[name, filter[name]]])));
}

export function isEmpty(filter: AuditFilter): boolean {
  return names.every((name) => filter[name] === "");
}

function isAction(text: string): text is AuditAction {
  return AuditAction.options.some((action) => action === text);
}

/** The first moment of a day, or of the day after it, in the browser's zone. */
function midnight(text: string, daysLater: number): string {
  const [year = 0, month = 1, date = 1] = text.split("-").map(Number);
  return new Date(year, month - 1, date + daysLater).toISOString();
}

/** The filter as the call's query. */
export function queryOf({ session, action, actor, from, to }: AuditFilter) {
  return {
    ...(session === "" ? {} : { sessionId: session }),
    ...(isAction(action) ? { action } : {}),
    ...(actor === "" ? {} : { actor }),
    ...(from === "" ? {} : { from: midnight(from, 0) }),
    ...(to === "" ? {} : { to: midnight(to, 1) }),
  };
}
