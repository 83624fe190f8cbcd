import { Button, NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { createLocation, type Location, type Store, updateLocation } from "@stocktake/contract";
import { callApi } from "../../http/call.ts";
import { staleAfter } from "../../http/shared-queries.ts";
import { useChange } from "../../http/use-change.ts";
import { useContractForm } from "../../ui/contract-form.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { messages } from "./messages.ts";

function useCreateLocation() {
  return useChange(
    (body: { name: string; storeId: string }) => callApi(createLocation, { body }),
    staleAfter.location,
  );
}

function useUpdateLocation() {
  return useChange(
    ({ id, name }: { id: string; name: string }) =>
      callApi(updateLocation, { params: { id }, body: { name } }),
    staleAfter.location,
  );
}

function useAddingLocation(onDone: (message: string) => void) {
  const create = useCreateLocation();
  const form = useContractForm({
    initialValues: { storeId: "", name: "" },
    schema: createLocation.body,
    required: { storeId: messages.storeRequired, name: messages.nameRequired },
  });
  const submit = form.onSubmit((values) => {
    if (create.isPending) return;
    create.send(values, ({ location }) => {
      // The next location is mostly the same store's.
      form.setFieldValue("name", "");
      onDone(messages.created(location.name));
    });
  });
  return { form, create, submit };
}

interface AddLocationFormProps {
  readonly stores: readonly Store[];
  readonly onDone: (message: string) => void;
}

export function AddLocationForm({ stores, onDone }: AddLocationFormProps) {
  const { form, create, submit } = useAddingLocation(onDone);
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

interface EditLocationDialogProps {
  readonly location: Location;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

export function EditLocationDialog({ location, onDone, onClose }: EditLocationDialogProps) {
  const form = useContractForm({
    initialValues: { name: location.name },
    schema: updateLocation.body,
    required: { name: messages.nameRequired },
    live: true,
  });
  const update = useUpdateLocation();
  const submit = form.onSubmit(({ name }) => {
    if (update.isPending) return;
    update.send({ id: location._id, name }, (answer) => {
      onDone(messages.updated(answer.location.name));
      onClose();
    });
  });
  return (
    <FormDialog
      title={messages.editHeading}
      onClose={onClose}
      onSubmit={submit}
      change={update}
      errorFallback={messages.updateFailed}
      submitLabel={messages.save}
      busyLabel={messages.saving}
      disabled={!form.isValid()}
    >
      <TextInput label={messages.nameLabel} data-autofocus {...form.getInputProps("name")} />
    </FormDialog>
  );
}
