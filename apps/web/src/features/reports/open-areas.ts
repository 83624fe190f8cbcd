import { type CountingSession, naturalOrder } from "@stocktake/contract";
import { areaText, countText, quantityText } from "../../ui/formats.ts";

const named = 8;

/** The areas that were never closed, the first of them by name: "A1 – Window, A2, and 3 more". */
export function openAreaNames({ openAreas }: Pick<CountingSession, "openAreas">): string {
  const compareCodes = naturalOrder();
  const areas = openAreas.toSorted((left, right) => compareCodes(left.code, right.code));
  const names = areas.slice(0, named).map(({ code, name }) => areaText(code, name));
  const others = areas.length - names.length;
  return [...names, ...(others > 0 ? [`and ${quantityText(others)} more`] : [])].join(", ");
}

/** Which areas were never closed; null where every one was. */
export function openAreasText(session: Pick<CountingSession, "openAreas">): string | null {
  const { length } = session.openAreas;
  if (length === 0) return null;
  return `${countText(length, "area was", "areas were")} never closed: ${openAreaNames(session)}`;
}
