import { Checkbox, NativeSelect, Stack, Text } from "@mantine/core";
import { type Assignments, type CountingSession, groupBy } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { PlaceAreas } from "../../../ui/areas/area-places.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { SearchableList } from "../../../ui/search/searchable-list.tsx";
import type { SessionProgress } from "../api.ts";
import { messages } from "../messages.ts";
import { assignmentsQuery, useAssignAreas } from "./api.ts";
import { type AssignmentDraft, changeOf, drafted, nothingChanged, othersOf, withAreas } from "./draft.ts";

const texts = messages.assigning;

type Areas = SessionProgress["areas"];

interface AreasOfPersonProps {
  readonly areas: Areas;
  readonly assignments: Assignments;
  readonly personId: string;
  readonly onToggle: (areaIds: readonly string[], on: boolean) => void;
}

/** The areas to choose a person's from, by location; beside each whose else it is. */
function AreasOfPerson({ areas, assignments, personId, onToggle }: AreasOfPersonProps) {
  const chosen = new Set(assignments.people.find(({ _id }) => _id === personId)?.areaIds ?? []);
  const noted = (area: Areas[number]) => {
    const others = othersOf(assignments, area._id, personId);
    return others.length === 0 ? area : { ...area, note: texts.also(others) };
  };
  const textOf = ({ code, name, locationName }: Areas[number]) => `${code} ${name} ${locationName}`;
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

interface AssigningProps {
  readonly areas: Areas;
  readonly stored: Assignments;
  readonly draft: AssignmentDraft;
  readonly onChange: (draft: AssignmentDraft) => void;
}

function Assigning({ areas, stored, draft, onChange }: AssigningProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const assignments = drafted(stored, draft);
  const person = assignments.people.find(({ _id }) => _id === chosen) ?? assignments.people[0];
  if (person === undefined) return <Text c="dimmed">{texts.nobody}</Text>;
  const assigned = new Set(assignments.people.flatMap(({ areaIds }) => areaIds));
  const toggle = (areaIds: readonly string[], on: boolean) =>
    onChange(withAreas(stored, draft, { personId: person._id, areaIds, on }));
  return (
    <Stack gap="sm">
      <NativeSelect
        label={texts.person}
        data-autofocus
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
        onChange={({ currentTarget }) => onChange({ ...draft, enforced: currentTarget.checked })}
      />
      <Text fz="sm" c="dimmed">
        {texts.free(areas.filter(({ _id }) => !assigned.has(_id)).length)}
        {assignments.enforced ? ` ${texts.goesOn}` : null}
      </Text>
      <AreasOfPerson {...{ areas, assignments }} personId={person._id} onToggle={toggle} />
    </Stack>
  );
}

interface AssignDialogProps {
  readonly session: CountingSession;
  readonly areas: Areas;
  readonly onClose: () => void;
}

/** Assigns areas of a running session to the people who count it, as a suggestion or so that nobody else may. */
export function AssignDialog({ session, areas, onClose }: AssignDialogProps) {
  const { data, error, refetch } = useQuery(assignmentsQuery(session._id));
  const [draft, setDraft] = useState(nothingChanged);
  const change = useAssignAreas(session._id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (data !== undefined) change.send(changeOf(data, draft), onClose);
  };
  return (
    <FormDialog
      title={texts.title(session.storeId.name)}
      size="lg"
      onClose={onClose}
      onSubmit={submit}
      change={change}
      errorFallback={texts.failed}
      submitLabel={texts.save}
      busyLabel={texts.saving}
      disabled={draft === nothingChanged || data === undefined}
    >
      <ErrorBox error={error} fallback={texts.fetchFailed} onRetry={refetch} />
      {data === undefined && error === null ? <LoadingState /> : null}
      {data === undefined ? null : (
        <Assigning areas={areas} stored={data} draft={draft} onChange={setDraft} />
      )}
    </FormDialog>
  );
}
