import { Button, NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { createLocation, type Location, type Store } from "@stocktake/contract";
import { useEffect } from "react";
import { callApi } from "../../http/call.ts";
import { staleAfter } from "../../http/shared-queries.ts";
import { useChange } from "../../http/use-change.ts";
import { focusField, useContractForm } from "../../ui/contract-form.ts";
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
  readonly onDone: (message: string, added: Location) => void;
}

/** The only store there is; "" where there are several to choose from. */
function onlyStore([first, ...further]: readonly Store[]): string {
  return first !== undefined && further.length === 0 ? first._id : "";
}

function useAddingLocation({ stores, onDone }: AddLocationFormProps) {
  const create = useCreateLocation();
  const form = useContractForm({
    initialValues: { storeId: "", name: "" },
    schema: createLocation.body,
    required: { storeId: messages.storeRequired, name: messages.nameRequired },
  });
  const only = onlyStore(stores);
  useEffect(() => {
    // The stores come after the form.
    if (only !== "" && form.getValues().storeId === "") form.setFieldValue("storeId", only);
  });
  const submit = form.onSubmit((values) => {
    if (create.isPending) return;
    create.send(values, ({ location }) => {
      // The next location is mostly the same store's.
      form.setFieldValue("name", "");
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
        <ErrorBox error={create.error} fallback={messages.createFailed} />
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
      </Stack>
    </form>
  );
}
