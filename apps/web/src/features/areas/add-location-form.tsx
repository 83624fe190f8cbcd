import { Button, NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { limits, type Store } from "@stocktake/contract";
import { type FormEvent, useState } from "react";
import { ErrorBox } from "../../ui/error-box.tsx";
import { useCreateLocation } from "./api.ts";
import { texts } from "./texts.ts";

function useLocationForm(onDone: (message: string) => void) {
  const [storeId, setStoreId] = useState("");
  const [name, setName] = useState("");
  const [tried, setTried] = useState(false);
  const create = useCreateLocation();
  const storeProblem = tried && storeId === "" ? texts.storeRequired : undefined;
  const nameProblem = tried && name.trim() === "" ? texts.nameRequired : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (storeId === "" || name.trim() === "" || create.isPending) return;
    create.send({ name, storeId }, ({ location }) => {
      setName("");
      setTried(false);
      onDone(texts.created(location.name));
    });
  };
  return { storeId, setStoreId, name, setName, create, storeProblem, nameProblem, submit };
}

interface AddLocationFormProps {
  readonly stores: readonly Store[];
  readonly onDone: (message: string) => void;
}

export function AddLocationForm({ stores, onDone }: AddLocationFormProps) {
  const form = useLocationForm(onDone);
  const choices = stores.map((store) => ({ value: store._id, label: store.name }));
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="sm">
        <ErrorBox error={form.create.error} fallback={texts.createFailed} />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <NativeSelect
            label={texts.storeLabel}
            value={form.storeId}
            error={form.storeProblem}
            data={[{ value: "", label: texts.chooseStore }, ...choices]}
            onChange={(event) => form.setStoreId(event.currentTarget.value)}
          />
          <TextInput
            label={texts.nameLabel}
            maxLength={limits.name}
            value={form.name}
            error={form.nameProblem}
            onChange={(event) => form.setName(event.currentTarget.value)}
          />
        </SimpleGrid>
        <Button type="submit" disabled={form.create.isPending} style={{ alignSelf: "flex-start" }}>
          {form.create.isPending ? texts.adding : texts.add}
        </Button>
      </Stack>
    </form>
  );
}
