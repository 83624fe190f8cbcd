import { Button, Group, NativeSelect, SimpleGrid, Stack, Switch, Text, TextInput } from "@mantine/core";
import { createStore, type ShopifyLocation, type Store, updateStore } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../http/call.ts";
import { staleAfter } from "../../http/query-roots.ts";
import { shopifyLocationsQuery, storesQuery } from "../../http/shared-queries.ts";
import { useChange } from "../../http/use-change.ts";
import {
  type ContractForm,
  changesIn,
  focusField,
  useContractForm,
  useFirstField,
} from "../../ui/contract-form.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { SameNameNotice } from "../../ui/names/same-name-notice.tsx";
import { messages } from "./messages.ts";

interface StoreEntry {
  readonly name: string;
  readonly shopifyLocationId: string;
}

function useCreateStore() {
  return useChange((entry: StoreEntry) => callApi(createStore, { body: entry }), staleAfter.store);
}

function useUpdateStore() {
  return useChange(
    ({ id, changes }: { id: string; changes: Partial<StoreValues> }) =>
      callApi(updateStore, { params: { id }, body: changes }),
    staleAfter.store,
  );
}

interface StoreValues extends StoreEntry {
  readonly isActive: boolean;
}

/** Specification, section 5: name and Shopify location are required. */
const required = { name: messages.nameRequired, shopifyLocationId: messages.locationRequired };

/** Choosing a location prefills the name while it is empty. */
function withLocation(entry: StoreEntry, id: string, locations: readonly ShopifyLocation[]): StoreEntry {
  const chosen = locations.find((location) => location.id === id);
  const name = entry.name.trim() === "" ? (chosen?.name ?? entry.name) : entry.name;
  return { name, shopifyLocationId: id };
}

function choicesFor(locations: readonly ShopifyLocation[], stores: readonly Store[], current: string) {
  const used = new Set(stores.map((store) => store.shopifyLocationId));
  return locations.map(({ id, name }) => {
    const taken = used.has(id) && id !== current;
    return { value: id, label: taken ? `${name} (in use)` : name, disabled: taken };
  });
}

interface StoreFieldsProps {
  readonly form: ContractForm<StoreValues>;
  /** The location of the store being edited, or "" for a new one. */
  readonly ownLocation: string;
}

/** The store form's two fields, for adding and editing. */
function StoreFields({ form, ownLocation }: StoreFieldsProps) {
  const stores = useQuery(storesQuery);
  const { data: locations = [], error, refetch } = useQuery(shopifyLocationsQuery);
  const choices = choicesFor(locations, stores.data ?? [], ownLocation);
  const known = choices.some((choice) => choice.value === ownLocation);
  const unlisted = ownLocation === "" || known ? [] : [{ value: ownLocation, label: ownLocation }];
  return (
    <>
      <ErrorBox error={error} fallback={messages.shopifyFailed} onRetry={refetch} />
      <TextInput label={messages.nameLabel} {...form.getInputProps("name")} />
      <NativeSelect
        label={messages.locationLabel}
        data={[{ value: "", label: messages.choose }, ...unlisted, ...choices]}
        {...form.getInputProps("shopifyLocationId")}
        onChange={(event) =>
          form.setValues(withLocation(form.getValues(), event.currentTarget.value, locations))
        }
      />
    </>
  );
}

interface SameStoreNameProps {
  readonly name: string;
  /** The store that is edited, or null for a new one. */
  readonly ownId: string | null;
}

function SameStoreName({ name, ownId }: SameStoreNameProps) {
  const { data: stores = [] } = useQuery(storesQuery);
  const others = stores.filter(({ _id }) => _id !== ownId).map((store) => store.name);
  return <SameNameNotice name={name} others={others} text={messages.sameName} />;
}

interface EditStoreDialogProps {
  readonly store: Store;
  readonly onDone: (message: string) => void;
  /** Leads to the store's tolerance, which is kept by itself. */
  readonly onTolerance: () => void;
  readonly onClose: () => void;
}

export function EditStoreDialog({ store, onDone, onTolerance, onClose }: EditStoreDialogProps) {
  const { name, shopifyLocationId, isActive } = store;
  const form = useContractForm<StoreValues>({
    initialValues: { name, shopifyLocationId, isActive },
    schema: updateStore.body,
    required,
  });
  const update = useUpdateStore();
  const submit = form.onSubmit(() => {
    if (update.isPending) return;
    update.send({ id: store._id, changes: changesIn(form) }, (answer) => {
      onDone(messages.updated(answer.store.name));
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
    >
      <StoreFields form={form} ownLocation={shopifyLocationId} />
      <SameStoreName name={form.values.name} ownId={store._id} />
      <Switch label={messages.activeLabel} {...form.getInputProps("isActive", { type: "checkbox" })} />
      <Group>
        <Button variant="subtle" size="compact-sm" disabled={form.isDirty()} onClick={onTolerance}>
          {messages.tolerance}
        </Button>
        {form.isDirty() ? (
          <Text fz="sm" c="dimmed">
            {messages.saveFirst}
          </Text>
        ) : null}
      </Group>
    </FormDialog>
  );
}

/** What was typed stays where the server refuses it. */
export function AddStoreForm({ onDone }: { onDone: (message: string, added: Store) => void }) {
  const form = useContractForm<StoreValues>({
    initialValues: { name: "", shopifyLocationId: "", isActive: true },
    schema: createStore.body,
    required,
  });
  const create = useCreateStore();
  const { data: stores } = useQuery(storesQuery);
  useFirstField(form, "name", stores?.length === 0);
  const submit = form.onSubmit(({ name, shopifyLocationId }) => {
    if (create.isPending) return;
    create.send({ name, shopifyLocationId }, ({ store }) => {
      form.reset();
      focusField(form, "shopifyLocationId");
      onDone(messages.created(store.name), store);
    });
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <StoreFields form={form} ownLocation="" />
        </SimpleGrid>
        <SameStoreName name={form.values.name} ownId={null} />
        <Button type="submit" disabled={create.isPending} style={{ alignSelf: "flex-start" }}>
          {create.isPending ? messages.adding : messages.add}
        </Button>
        <ErrorBox error={create.error} fallback={messages.createFailed} />
      </Stack>
    </form>
  );
}
