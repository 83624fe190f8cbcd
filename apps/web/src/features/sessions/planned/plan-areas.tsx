import { Checkbox, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { areasQuery, locationsQuery } from "../../../http/shared-queries.ts";
import { PlaceAreas } from "../../../ui/areas/area-places.tsx";
import { plannedMessages } from "./messages.ts";

const texts = plannedMessages;

/** The areas of a store, in the order of its locations. */
export function useAreasOf(storeId: string) {
  const { data: locations = [] } = useQuery(locationsQuery);
  const { data: areas = [] } = useQuery(areasQuery);
  const own = locations.filter(({ storeId: store }) => store._id === storeId);
  return own.map((location) => ({
    location,
    areas: areas.filter(({ locationId }) => locationId === location._id),
  }));
}

interface PlanAreasProps {
  readonly storeId: string;
  /** A full count is of every area. */
  readonly isFull: boolean;
  /** Null for all. */
  readonly areaIds: readonly string[] | null;
  readonly onChange: (areaIds: readonly string[] | null) => void;
}

/** Which areas are counted. */
export function PlanAreas({ storeId, isFull, areaIds, onChange }: PlanAreasProps) {
  const places = useAreasOf(storeId).filter(({ areas }) => areas.length > 0);
  if (places.length === 0) return <Text c="dimmed">{texts.noAreas}</Text>;
  const every = places.flatMap(({ areas }) => areas.map(({ _id }) => _id));
  const chosen = new Set(areaIds ?? every);
  const toggle = (ids: readonly string[], on: boolean) =>
    onChange(every.filter((id) => (ids.includes(id) ? on : chosen.has(id))));
  const isEvery = isFull || areaIds === null;
  return (
    <Stack gap="xs">
      <Checkbox
        label={texts.everyArea}
        description={isFull ? texts.everyAreaNote : undefined}
        checked={isEvery}
        disabled={isFull}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : every)}
      />
      {isEvery
        ? null
        : places.map(({ location, areas }) => (
            <PlaceAreas key={location._id} {...{ location, areas, chosen }} onToggle={toggle} />
          ))}
    </Stack>
  );
}
