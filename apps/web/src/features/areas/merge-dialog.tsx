import { NativeSelect, Text } from "@mantine/core";
import { type Area, groupBy, type Location, mergeAreas } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { callApi } from "../../http/call.ts";
import { staleAfter } from "../../http/query-roots.ts";
import { areasQuery, locationsQuery } from "../../http/shared-queries.ts";
import { useChange } from "../../http/use-change.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { messages } from "./messages.ts";

const texts = messages.merge;

/** The other areas of the store, by location. */
function useOthers(area: Area, location: Location) {
  const { data: locations = [] } = useQuery(locationsQuery);
  const { data: areas = [] } = useQuery(areasQuery);
  const byLocation = groupBy(areas, ({ locationId }) => locationId);
  return locations
    .filter(({ storeId }) => storeId._id === location.storeId._id)
    .map(({ _id, name }) => ({
      group: name,
      items: (byLocation.get(_id) ?? [])
        .filter((other) => other._id !== area._id)
        .map((other) => ({ value: other._id, label: texts.option(other.code, other.name) })),
    }))
    .filter(({ items }) => items.length > 0);
}

interface MergeDialogProps {
  readonly area: Area;
  readonly location: Location;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

/** Makes an area a part of another, whose label then opens both. */
export function MergeDialog({ area, location, onDone, onClose }: MergeDialogProps) {
  const others = useOthers(area, location);
  const [intoAreaId, setInto] = useState("");
  const change = useChange(
    (into: string) => callApi(mergeAreas, { body: { areaId: area._id, intoAreaId: into } }),
    [...staleAfter.area, ...staleAfter.plan],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.send(intoAreaId, ({ area: into }) => {
      onDone(texts.done(area.code, into.code));
      onClose();
    });
  };
  return (
    <FormDialog
      title={texts.title(area.code)}
      onClose={onClose}
      onSubmit={submit}
      change={change}
      errorFallback={texts.failed}
      submitLabel={texts.confirm}
      busyLabel={texts.busy}
      disabled={intoAreaId === ""}
    >
      <NativeSelect
        label={texts.into}
        data-autofocus
        value={intoAreaId}
        onChange={({ currentTarget }) => setInto(currentTarget.value)}
        data={[{ value: "", label: texts.choose }, ...others]}
      />
      {texts.consequences(area.code).map((consequence) => (
        <Text key={consequence} fz="sm" c="dimmed">
          {consequence}
        </Text>
      ))}
    </FormDialog>
  );
}
