import { Button, Stack, TextInput } from "@mantine/core";
import { type Location, limits } from "@stocktake/contract";
import { type FormEvent, useState } from "react";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { useUpdateLocation } from "./api.ts";
import { texts } from "./texts.ts";

interface EditLocationDialogProps {
  readonly location: Location;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

export function EditLocationDialog({ location, onDone, onClose }: EditLocationDialogProps) {
  const [name, setName] = useState(location.name);
  const update = useUpdateLocation();
  const missing = name.trim() === "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (missing || update.isPending) return;
    update.send({ id: location._id, name }, (answer) => {
      onDone(texts.updated(answer.location.name));
      onClose();
    });
  };
  return (
    <Dialog onClose={onClose} title={texts.editHeading}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <ErrorBox error={update.error} fallback={texts.updateFailed} />
          <TextInput
            label={texts.nameLabel}
            maxLength={limits.name}
            value={name}
            error={missing ? texts.nameRequired : undefined}
            data-autofocus
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={update.isPending || missing}>
              {update.isPending ? texts.saving : texts.save}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}
