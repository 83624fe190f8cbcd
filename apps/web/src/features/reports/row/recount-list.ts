import type { CallInput, CountingSession, SessionPlan, updatePlan } from "@stocktake/contract";
import { dateTimeText } from "../../../ui/formats.ts";
import type { Explanation } from "./explanation-query.ts";
import { rowMessages } from "./messages.ts";

const { recount: texts } = rowMessages;

type Planned = Required<CallInput<typeof updatePlan>["body"]>;

/** What a report's list of SKUs to count again is called: a planned session of its store, known by its name. */
export function recountListName({ endedAt }: Pick<CountingSession, "endedAt">): string {
  return texts.name(dateTimeText(endedAt));
}

/** The list of a report's SKUs among the planned sessions; undefined where nothing is marked. */
export function recountListOf(
  plans: readonly SessionPlan[],
  session: Pick<CountingSession, "storeId" | "endedAt">,
): SessionPlan | undefined {
  const name = recountListName(session);
  return plans.find((plan) => plan.storeId._id === session.storeId._id && plan.name === name);
}

/** The codes of the areas in which units that count were found. */
function placesOf({ passes }: Pick<Explanation, "passes">): readonly string[] {
  return [...new Set(passes.filter(({ units }) => units > 0).map(({ area }) => area.code))];
}

function linesOf(plan: SessionPlan | undefined): readonly string[] {
  return plan?.note?.split("\n").filter((line) => line !== texts.onlyThese) ?? [];
}

function isLineOf(line: string, sku: string): boolean {
  return line.startsWith(texts.line(sku, ""));
}

/** Of every area: a SKU may lie where nobody found it the first time. */
function planned(plan: SessionPlan | undefined, name: string, lines: readonly string[]): Planned {
  const people = plan === undefined || plan.people.length === 0 ? null : plan.people;
  const note = [texts.onlyThese, ...lines].join("\n");
  const assignmentsEnforced = plan?.assignmentsEnforced ?? false;
  return { name, scope: "partial", areaIds: null, people, assignmentsEnforced, note };
}

export function isMarked(plan: SessionPlan | undefined, sku: string): boolean {
  return linesOf(plan).some((line) => isLineOf(line, sku));
}

/** The list with a row's SKU, and where its units were found. */
export function withMark(plan: SessionPlan | undefined, name: string, explanation: Explanation): Planned {
  const { sku } = explanation.item;
  const places = placesOf(explanation);
  const line = texts.line(sku, places.length === 0 ? texts.nowhere : places.join(", "));
  return planned(plan, name, [...linesOf(plan).filter((each) => !isLineOf(each, sku)), line]);
}

/** The list without a row's SKU; null where nothing is left of it. */
export function withoutMark(plan: SessionPlan, name: string, { item }: Explanation): Planned | null {
  const lines = linesOf(plan).filter((line) => !isLineOf(line, item.sku));
  return lines.length === 0 ? null : planned(plan, name, lines);
}
