import { NativeSelect, Stack, Text } from "@mantine/core";
import { type CallAnswer, copyAreas, previewCopy, type Store } from "@stocktake/contract";
import { skipToken, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { callApi } from "../../http/call.ts";
import { queryRoots, staleAfter } from "../../http/query-roots.ts";
import { useChange } from "../../http/use-change.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { messages } from "./messages.ts";

const texts = messages.copy;

type Copy = CallAnswer<typeof previewCopy>;

function usePreview(storeId: string, fromStoreId: string) {
  return useQuery({
    queryKey: [queryRoots.areas, "copy", storeId, fromStoreId],
    queryFn:
      fromStoreId === ""
        ? skipToken
        : ({ signal }) => callApi(previewCopy, { params: { id: storeId }, query: { fromStoreId }, signal }),
  });
}

/** What is added to each location, and what is there already. */
function Preview({ copy }: { copy: Copy }) {
  return (
    <Stack gap="xs">
      <Text fw={560}>{texts.adds(copy.newLocations, copy.newAreas)}</Text>
      <ul aria-label={texts.preview}>
        {copy.locations.map(({ name, exists, areas }) => {
          const codesOf = (there: boolean) =>
            areas.filter((area) => area.exists === there).map(({ code }) => code);
          return (
            <li key={name}>
              {exists ? name : texts.newLocation(name)}
              <Text fz="sm">{texts.added(codesOf(false))}</Text>
              {codesOf(true).length === 0 ? null : (
                <Text fz="sm" c="dimmed">
                  {texts.stay(codesOf(true))}
                </Text>
              )}
            </li>
          );
        })}
      </ul>
    </Stack>
  );
}

interface CopyDialogProps {
  readonly store: Store;
  readonly stores: readonly Store[];
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

/** Copies another store's locations and areas to where they are missing, shown before. */
export function CopyDialog({ store, stores, onDone, onClose }: CopyDialogProps) {
  const [fromStoreId, setFrom] = useState("");
  const { data: copy, error, refetch, isFetching } = usePreview(store._id, fromStoreId);
  const change = useChange(
    (from: string) => callApi(copyAreas, { params: { id: store._id }, body: { fromStoreId: from } }),
    staleAfter.location,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.send(fromStoreId, (copied) => {
      onDone(texts.done(copied.newLocations, copied.newAreas, store.name));
      onClose();
    });
  };
  const hasNothing = copy === undefined || copy.newLocations + copy.newAreas === 0;
  return (
    <FormDialog
      title={texts.title(store.name)}
      onClose={onClose}
      onSubmit={submit}
      change={change}
      errorFallback={texts.failed}
      submitLabel={texts.confirm}
      busyLabel={texts.busy}
      disabled={hasNothing || isFetching}
    >
      <NativeSelect
        label={texts.from}
        data-autofocus
        value={fromStoreId}
        onChange={({ currentTarget }) => setFrom(currentTarget.value)}
        data={[
          { value: "", label: texts.choose },
          ...stores
            .filter(({ _id }) => _id !== store._id)
            .map(({ _id, name }) => ({ value: _id, label: name })),
        ]}
      />
      <ErrorBox error={error} fallback={texts.fetchFailed} onRetry={refetch} />
      {copy === undefined && isFetching ? <LoadingState /> : null}
      {copy === undefined ? <Text c="dimmed">{texts.note}</Text> : <Preview copy={copy} />}
    </FormDialog>
  );
}
