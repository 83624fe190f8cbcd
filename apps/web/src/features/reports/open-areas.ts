import { type CountingSession, naturalOrder } from "@stocktake/contract";
import { countText } from "../../ui/formats.ts";

const named = 8;

/** Which areas were never closed, the first of them by name; null where every one was. */
export function openAreasText({ openAreas }: Pick<CountingSession, "openAreas">): string | null {
  if (openAreas.length === 0) return null;
  const compareCodes = naturalOrder();
  const areas = openAreas.toSorted((left, right) => compareCodes(left.code, right.code));
  const names = areas.map(({ code, name }) => (name === code ? code : `${code} – ${name}`));
  const others = names.length - named;
  const listed = others > 0 ? [...names.slice(0, named), `${others} more`] : names;
  return `${countText(areas.length, "area was", "areas were")} never closed: ${listed.join(", ")}`;
}
