import { Button, NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { createLocation, type Location, type Store } from "@stocktake/contract";
import { useEffect, useRef } from "react";
import { callApi } from "../../http/call.ts";
import { staleAfter } from "../../http/query-roots.ts";
import { useChange } from "../../http/use-change.ts";
import { focusField, useContractForm, useFirstField } from "../../ui/contract-form.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { messages } from "./messages.ts";

function useCreateLocation() {
  return useChange(
    (body: { name: string; storeId: string }) => callApi(createLocation, { body }),
    staleAfter.location,
  );
}

interface AddLocationFormProps {
  readonly stores: readonly Store[];
  /** The store that a location is most likely added to; "" where there is none such. */
  readonly likelyStore: string;
  /** Whether the page was opened to add one. */
  readonly isAwaited: boolean;
  readonly onDone: (message: string, added: Location) => void;
}

/**
 * The store to whose locations a link has led, else the only one, else the newest of those that have no location yet: it was
 * mostly added just now. "" where none of these is.
 */
export function likelyStoreOf(
  stores: readonly Store[],
  locations: readonly Location[],
  asked: string | null,
): string {
  const linked = stores.find(({ _id }) => _id === asked);
  const [first, ...further] = stores;
  const only = further.length === 0 ? first : undefined;
  const withLocations = new Set(locations.map(({ storeId }) => storeId._id));
  const [newest] = stores
    .filter(({ _id }) => !withLocations.has(_id))
    .sort((left, right) => right.createdAt.localeCompare(left.createdAt));
  return (linked ?? only ?? newest)?._id ?? "";
}

function useAddingLocation({ likelyStore, isAwaited, onDone }: AddLocationFormProps) {
  const create = useCreateLocation();
  const form = useContractForm({
    initialValues: { storeId: "", name: "" },
    schema: createLocation.body,
    required: { storeId: messages.storeRequired, name: messages.nameRequired },
  });
  const chosen = useRef("");
  useEffect(() => {
    // The stores come after the form.
    if (likelyStore === "" || chosen.current !== "") return;
    chosen.current = likelyStore;
    if (form.getValues().storeId === "") form.setFieldValue("storeId", likelyStore);
  });
  useFirstField(form, "name", isAwaited);
  const submit = form.onSubmit((values) => {
    if (create.isPending) return;
    create.send(values, ({ location }) => {
      // The next location is mostly the same store's.
      // By the way that checks nothing: after a refused press an emptied field would be refused at once.
      form.setValues({ name: "" });
      focusField(form, "name");
      onDone(messages.created(location.name), location);
    });
  });
  return { form, create, submit };
}

export function AddLocationForm(props: AddLocationFormProps) {
  const { stores } = props;
  const { form, create, submit } = useAddingLocation(props);
  const choices = stores.map((store) => ({ value: store._id, label: store.name }));
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <NativeSelect
            label={messages.storeLabel}
            data={[{ value: "", label: messages.chooseStore }, ...choices]}
            {...form.getInputProps("storeId")}
          />
          <TextInput label={messages.nameLabel} {...form.getInputProps("name")} />
        </SimpleGrid>
        <Button type="submit" disabled={create.isPending} style={{ alignSelf: "flex-start" }}>
          {create.isPending ? messages.adding : messages.add}
        </Button>
        <ErrorBox error={create.error} fallback={messages.createFailed} />
      </Stack>
    </form>
  );
}
