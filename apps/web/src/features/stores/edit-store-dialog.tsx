import { Button, Stack, Switch } from "@mantine/core";
import type { Store } from "@stocktake/contract";
import { type FormEvent, useState } from "react";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { type StoreEntry, useUpdateStore } from "./api.ts";
import { problemsOfStore, StoreFields, type StoreProblems } from "./store-fields.tsx";
import { texts } from "./texts.ts";

interface EditStoreDialogProps {
  readonly store: Store;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

function useStoreForm({ store, onDone, onClose }: EditStoreDialogProps) {
  const [entry, setEntry] = useState<StoreEntry>(store);
  const [isActive, setActive] = useState(store.isActive);
  const [problems, setProblems] = useState<StoreProblems>({});
  const update = useUpdateStore();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = problemsOfStore(entry);
    setProblems(found);
    if (Object.keys(found).length > 0 || update.isPending) return;
    const { name, shopifyLocationId } = entry;
    update.send({ id: store._id, name, shopifyLocationId, isActive }, (answer) => {
      onDone(texts.updated(answer.store.name));
      onClose();
    });
  };
  return { entry, setEntry, isActive, setActive, problems, update, submit };
}

export function EditStoreDialog(props: EditStoreDialogProps) {
  const form = useStoreForm(props);
  return (
    <Dialog onClose={props.onClose} title={texts.editHeading}>
      <form onSubmit={form.submit} noValidate>
        <Stack gap="sm">
          <ErrorBox error={form.update.error} fallback={texts.updateFailed} />
          <StoreFields
            entry={form.entry}
            problems={form.problems}
            ownLocation={props.store.shopifyLocationId}
            onChange={form.setEntry}
          />
          <Switch
            label={texts.activeLabel}
            checked={form.isActive}
            onChange={(event) => form.setActive(event.currentTarget.checked)}
          />
          <DialogActions>
            <Button variant="default" onClick={props.onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={form.update.isPending}>
              {form.update.isPending ? texts.saving : texts.save}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}
