import { Text, Textarea } from "@mantine/core";
import { lengthProblem, limits } from "@stocktake/contract";
import { type FormEvent, useState } from "react";
import type { PendingChange } from "../../ui/dialog.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { messages } from "./messages.ts";

const { areas: texts } = messages;

interface ReasonDialogProps {
  readonly title: string;
  /** What it means. */
  readonly text: string;
  /** What it is about, where that is few enough to be named. */
  readonly about?: string;
  readonly change: PendingChange;
  readonly onSave: (reason: string) => void;
  readonly onClose: () => void;
}

/** Asks why something is left out of a count on purpose. */
export function ReasonDialog({ title, text, about, change, onSave, onClose }: ReasonDialogProps) {
  const [reason, setReason] = useState("");
  const problem = lengthProblem(texts.reason, reason, limits.reason);
  const isGiven = reason.trim() !== "" && problem === null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isGiven) onSave(reason);
  };
  return (
    <FormDialog
      title={title}
      change={change}
      errorFallback={texts.failed}
      heading={<Text>{text}</Text>}
      submitLabel={texts.save}
      busyLabel={texts.saving}
      disabled={!isGiven}
      onClose={onClose}
      onSubmit={submit}
    >
      {about === undefined ? null : (
        <Text fz="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {about}
        </Text>
      )}
      <Textarea
        label={texts.reason}
        rows={2}
        required
        value={reason}
        error={problem}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
