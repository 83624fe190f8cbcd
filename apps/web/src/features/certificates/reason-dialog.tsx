import { Text, Textarea } from "@mantine/core";
import type * as z from "zod/mini";
import type { Change } from "../../http/use-change.ts";
import { useReasonForm } from "../../ui/contract-form.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { messages } from "./messages.ts";

const { areas: texts } = messages;

interface ReasonDialogProps<Body> {
  readonly title: string;
  /** What it means. */
  readonly text: string;
  /** What it is about, where that is few enough to be named. */
  readonly about?: string;
  /** Of the call that the reason is given for. */
  readonly schema: z.ZodMiniType;
  readonly bodyOf: (reason: string) => NoInfer<Body>;
  readonly change: Change<Body, unknown>;
  readonly onClose: () => void;
  /** What follows once it is saved, where that is more than closing. */
  readonly onDone?: () => void;
}

/** Asks why something is left out of a count on purpose. */
export function ReasonDialog<Body>(props: ReasonDialogProps<Body>) {
  const { title, text, about, schema, bodyOf, change, onClose, onDone = onClose } = props;
  const form = useReasonForm(schema, bodyOf);
  return (
    <FormDialog
      title={title}
      change={change}
      errorFallback={texts.failed}
      heading={<Text>{text}</Text>}
      submitLabel={texts.save}
      busyLabel={texts.saving}
      disabled={!form.isValid()}
      onClose={onClose}
      onSubmit={form.onSubmit(({ reason }) => change.send(bodyOf(reason), onDone))}
    >
      {about === undefined ? null : (
        <Text fz="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {about}
        </Text>
      )}
      <Textarea label={texts.reason} rows={2} required {...form.getInputProps("reason")} />
    </FormDialog>
  );
}
