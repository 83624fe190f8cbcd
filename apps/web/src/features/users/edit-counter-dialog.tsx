import { Button, Stack } from "@mantine/core";
import type { Counter } from "@stocktake/contract";
import { type FormEvent, useState } from "react";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { useUpdateCounter } from "./api.ts";
import {
  type CounterEntry,
  CounterFields,
  type CounterProblems,
  problemsOfCounter,
} from "./counter-fields.tsx";
import { texts } from "./texts.ts";

interface EditCounterDialogProps {
  readonly counter: Counter;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

/** Renames a counter, and gives a new password where one was typed. */
export function EditCounterDialog({ counter, onDone, onClose }: EditCounterDialogProps) {
  const [entry, setEntry] = useState<CounterEntry>({ username: counter.username, password: "" });
  const [problems, setProblems] = useState<CounterProblems>({});
  const update = useUpdateCounter();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = problemsOfCounter(entry, true);
    setProblems(found);
    if (Object.keys(found).length > 0 || update.isPending) return;
    const { username, password } = entry;
    update.send({ id: counter._id, username, ...(password === "" ? {} : { password }) }, (answer) => {
      onDone(texts.updated(answer.counter.username));
      onClose();
    });
  };
  return (
    <Dialog onClose={onClose} title={texts.editHeading}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <ErrorBox error={update.error} fallback={texts.updateFailed} />
          <CounterFields entry={entry} problems={problems} keepsPassword onChange={setEntry} />
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={update.isPending}>
              {update.isPending ? texts.saving : texts.save}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}
