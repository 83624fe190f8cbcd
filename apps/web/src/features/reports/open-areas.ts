import { areaNaming, type CountingSession, type CoveredArea, naturalOrder } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { coveredAreasQuery, voidAreas } from "../../http/coverage.ts";
import { areaText, countText, quantityText } from "../../ui/formats.ts";

const named = 8;

/** Areas of which something is said: how many, and the first of them by name: "A1 – Window, A2, and 3 more". */
export interface NamedAreas {
  readonly count: number;
  readonly names: string;
}

/** The areas that the end of a session found open: those left out on purpose apart, as nobody has failed to close them. */
export interface OpenAreas {
  readonly neverClosed: NamedAreas;
  readonly onPurpose: NamedAreas;
}

type Ended = Pick<CountingSession, "_id" | "openAreas">;

/** @param covered what became of the session's areas; empty where that is not known, and then none counts as left out on purpose */
function openAreasOf({ openAreas }: Ended, covered: readonly CoveredArea[]): OpenAreas {
  const compareCodes = naturalOrder();
  const left = voidAreas(covered);
  const places = new Map(covered.map(({ area }) => [area._id, area.locationName]));
  const all = covered.map(({ area }) => area);
  const nameOf = areaNaming(all, ({ code, name }) => areaText(code, name));
  const namedAreas = (areas: Ended["openAreas"]): NamedAreas => {
    const names = areas.slice(0, named).map((area) => {
      const locationName = places.get(area._id);
      return locationName === undefined ? areaText(area.code, area.name) : nameOf({ ...area, locationName });
    });
    const others = areas.length - names.length;
    const more = others > 0 ? [`and ${quantityText(others)} more`] : [];
    return { count: areas.length, names: [...names, ...more].join(", ") };
  };
  const sorted = openAreas.toSorted((one, other) => compareCodes(one.code, other.code));
  return {
    neverClosed: namedAreas(sorted.filter(({ _id }) => !left.has(_id))),
    onPurpose: namedAreas(sorted.filter(({ _id }) => left.has(_id))),
  };
}

/** Which areas the end found open. Until it is known what was left out on purpose, nothing is taken for it. */
export function useOpenAreas(session: Ended): OpenAreas {
  const isAsked = session.openAreas.length > 0;
  const { data = [] } = useQuery({ ...coveredAreasQuery(session._id), enabled: isAsked });
  return openAreasOf(session, data);
}

/** Which areas were never closed, and which not counted on purpose; null where every one was closed. */
export function openAreasText({ neverClosed, onPurpose }: OpenAreas): string | null {
  const told = ({ count, names }: NamedAreas, what: string) =>
    count === 0 ? [] : [`${countText(count, "area was", "areas were")} ${what}: ${names}`];
  const parts = [...told(neverClosed, "never closed"), ...told(onPurpose, "not counted on purpose")];
  return parts.length === 0 ? null : parts.join("; ");
}
