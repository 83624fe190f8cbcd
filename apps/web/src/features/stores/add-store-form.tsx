import { Button, SimpleGrid, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { ErrorBox } from "../../ui/error-box.tsx";
import { type StoreEntry, useCreateStore } from "./api.ts";
import { problemsOfStore, StoreFields, type StoreProblems } from "./store-fields.tsx";
import { texts } from "./texts.ts";

const emptyEntry: StoreEntry = { name: "", shopifyLocationId: "" };

/** What was typed stays where the server refuses it. */
export function AddStoreForm({ onDone }: { onDone: (message: string) => void }) {
  const [entry, setEntry] = useState(emptyEntry);
  const [problems, setProblems] = useState<StoreProblems>({});
  const create = useCreateStore();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = problemsOfStore(entry);
    setProblems(found);
    if (Object.keys(found).length > 0 || create.isPending) return;
    create.send(entry, ({ store }) => {
      setEntry(emptyEntry);
      onDone(texts.created(store.name));
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <ErrorBox error={create.error} fallback={texts.createFailed} />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <StoreFields entry={entry} problems={problems} ownLocation="" onChange={setEntry} />
        </SimpleGrid>
        <Button type="submit" disabled={create.isPending} style={{ alignSelf: "flex-start" }}>
          {create.isPending ? texts.adding : texts.add}
        </Button>
      </Stack>
    </form>
  );
}
