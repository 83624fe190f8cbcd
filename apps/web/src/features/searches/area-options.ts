import { useQuery } from "@tanstack/react-query";
import { areasQuery, locationsQuery } from "../../http/shared-queries.ts";
import { areaText, partsText } from "../../ui/formats.ts";

/** The areas of a store to choose from, by location; the code of one that was chosen; and which take what is found there. */
export function useAreaOptions(storeId: string) {
  const { data: areas } = useQuery(areasQuery);
  const { data: locations } = useQuery(locationsQuery);
  const ofStore = (locations ?? [])
    .filter((location) => location.storeId._id === storeId)
    .flatMap(({ _id, name }) =>
      (areas ?? [])
        .filter(({ locationId }) => locationId === _id)
        .map((area) => ({
          ...{ id: area._id, code: area.code, text: areaText(area.code, area.name), name },
          isOpen: area.status !== "closed",
        })),
    );
  return {
    options: ofStore.map(({ id, text, name }) => ({ value: id, label: partsText(text, name) })),
    /** The code of one that is closed; null for any other. */
    closedCodeOf: (areaId: string) =>
      ofStore.find(({ id, isOpen }) => id === areaId && !isOpen)?.code ?? null,
    /** Nothing that is found can be scanned any more, as far as is known. */
    isNoneOpen: areas !== undefined && locations !== undefined && !ofStore.some(({ isOpen }) => isOpen),
    codeOf: (areaId: string) => ofStore.find(({ id }) => id === areaId)?.code ?? null,
  };
}
