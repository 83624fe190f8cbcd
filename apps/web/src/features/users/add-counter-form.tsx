import { Button, SimpleGrid, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { ErrorBox } from "../../ui/error-box.tsx";
import { useCreateCounter } from "./api.ts";
import {
  type CounterEntry,
  CounterFields,
  type CounterProblems,
  problemsOfCounter,
} from "./counter-fields.tsx";
import { texts } from "./texts.ts";

const emptyEntry: CounterEntry = { username: "", password: "" };

export function AddCounterForm({ onDone }: { onDone: (message: string) => void }) {
  const [entry, setEntry] = useState(emptyEntry);
  const [problems, setProblems] = useState<CounterProblems>({});
  const create = useCreateCounter();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = problemsOfCounter(entry, false);
    setProblems(found);
    if (Object.keys(found).length > 0 || create.isPending) return;
    create.send(entry, ({ counter }) => {
      setEntry(emptyEntry);
      onDone(texts.created(counter.username));
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <ErrorBox error={create.error} fallback={texts.createFailed} />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <CounterFields entry={entry} problems={problems} keepsPassword={false} onChange={setEntry} />
        </SimpleGrid>
        <Button type="submit" disabled={create.isPending} style={{ alignSelf: "flex-start" }}>
          {create.isPending ? texts.adding : texts.add}
        </Button>
      </Stack>
    </form>
  );
}
