import { Checkbox, NativeSelect, Stack, Text } from "@mantine/core";
import { type Assignments, groupBy } from "@stocktake/contract";
import { useState } from "react";
import { PlaceAreas } from "../../../ui/areas/area-places.tsx";
import { SearchableList } from "../../../ui/search/searchable-list.tsx";
import { messages } from "../messages.ts";
import { othersOf } from "./draft.ts";

const texts = messages.assigning;

/** An area that can be somebody's. */
export interface AssignableArea {
  readonly _id: string;
  readonly code: string;
  readonly name: string;
  readonly locationId: string;
  readonly locationName: string;
}

interface AreasOfPersonProps {
  readonly areas: readonly AssignableArea[];
  readonly assignments: Assignments;
  readonly personId: string;
  readonly onToggle: (areaIds: readonly string[], on: boolean) => void;
}

/** The areas to choose a person's from, by location; beside each whose else it is. */
function AreasOfPerson({ areas, assignments, personId, onToggle }: AreasOfPersonProps) {
  const chosen = new Set(assignments.people.find(({ _id }) => _id === personId)?.areaIds ?? []);
  const noted = (area: AssignableArea) => {
    const others = othersOf(assignments, area._id, personId);
    return others.length === 0 ? area : { ...area, note: texts.also(others) };
  };
  const textOf = ({ code, name, locationName }: AssignableArea) => `${code} ${name} ${locationName}`;
  return (
    <SearchableList label={texts.areas} rows={areas} textOf={textOf}>
      {(found) =>
        [...groupBy(found, ({ locationId }) => locationId)].map(([_id, here]) => (
          <PlaceAreas
            key={_id}
            location={{ _id, name: here[0]?.locationName ?? "" }}
            areas={here.map(noted)}
            chosen={chosen}
            onToggle={onToggle}
          />
        ))
      }
    </SearchableList>
  );
}

interface AssigningFieldsProps {
  readonly areas: readonly AssignableArea[];
  /** As they will be. */
  readonly assignments: Assignments;
  /** The dialog's focus lands on its first field. */
  readonly isFirst?: boolean;
  readonly onToggle: (personId: string, areaIds: readonly string[], on: boolean) => void;
  readonly onEnforce: (enforced: boolean) => void;
}

/** Whose each area is: one person's areas at a time, and whether others may count them. */
export function AssigningFields(props: AssigningFieldsProps) {
  const { areas, assignments, isFirst = false, onToggle, onEnforce } = props;
  const [chosen, setChosen] = useState<string | null>(null);
  const person = assignments.people.find(({ _id }) => _id === chosen) ?? assignments.people[0];
  if (person === undefined) return <Text c="dimmed">{texts.nobody}</Text>;
  const assigned = new Set(assignments.people.flatMap(({ areaIds }) => areaIds));
  return (
    <Stack gap="sm">
      <NativeSelect
        label={texts.person}
        {...(isFirst ? { "data-autofocus": true } : {})}
        value={person._id}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        data={assignments.people.map(({ _id, name, email, areaIds }) => ({
          value: _id,
          label: texts.option(name, email, areaIds.length),
        }))}
      />
      <Checkbox
        label={texts.enforced}
        description={texts.enforcedNote}
        checked={assignments.enforced}
        onChange={({ currentTarget }) => onEnforce(currentTarget.checked)}
      />
      <Text fz="sm" c="dimmed">
        {texts.free(areas.filter(({ _id }) => !assigned.has(_id)).length)}
        {assignments.enforced ? ` ${texts.goesOn}` : null}
      </Text>
      <AreasOfPerson
        {...{ areas, assignments }}
        personId={person._id}
        onToggle={(areaIds, on) => onToggle(person._id, areaIds, on)}
      />
    </Stack>
  );
}
