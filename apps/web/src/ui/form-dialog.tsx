import { Button, type ModalProps, Stack } from "@mantine/core";
import { type ComponentProps, type FormEventHandler, type ReactNode, useState } from "react";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { Dialog, DialogActions, type PendingChange } from "./dialog.tsx";
import { ErrorBox } from "./error-box.tsx";

interface FormDialogProps {
  readonly title: string;
  readonly size?: NonNullable<ModalProps["size"]>;
  readonly onClose: () => void;
  readonly onSubmit: FormEventHandler<HTMLFormElement>;
  readonly change: PendingChange;
  /** The specification's text, as of an Error box. */
  readonly errorFallback: string;
  /** What describes the thing that is changed. */
  readonly heading?: ReactNode;
  readonly submitLabel: string;
  readonly busyLabel?: string;
  readonly disabled?: boolean;
  /** So much is typed that closing it by accident is asked about first. */
  readonly isTyped?: boolean;
  /** Beside the buttons: why the form can't be sent yet. */
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

/** A dialog that is one form: its fields, what the server refused, Cancel and the button that sends it. */
export function FormDialog(props: FormDialogProps) {
  const { change, size, isTyped = false } = props;
  return (
    <TypedDialog
      title={props.title}
      isTyped={isTyped}
      onClose={props.onClose}
      {...(size === undefined ? {} : { size })}
    >
      <form onSubmit={props.onSubmit} noValidate>
        <Stack gap="sm">
          {props.heading}
          {props.children}
          <DialogActions failure={<ErrorBox error={change.error} fallback={props.errorFallback} />}>
            {props.note}
            <Button variant="default" onClick={props.onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={change.isPending || props.disabled === true}>
              {change.isPending ? (props.busyLabel ?? props.submitLabel) : props.submitLabel}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </TypedDialog>
  );
}

interface TypedDialogProps extends ComponentProps<typeof Dialog> {
  readonly onClose: () => void;
  /** Something was typed or pasted that would be lost. */
  readonly isTyped: boolean;
}

const question = {
  title: "Close and lose what you typed?",
  message: "What you typed here was not sent, and is not kept.",
  confirm: "Close",
} as const;

/** A dialog that holds much that was typed: Escape, the ✕ and a tap beside it ask first. A Cancel button does not: it is meant. */
export function TypedDialog({ isTyped, onClose, ...dialog }: TypedDialogProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Dialog {...dialog} onClose={isTyped ? () => setAsking(true) : onClose} />
      {asking ? (
        <ConfirmDialog
          title={question.title}
          message={question.message}
          confirmLabel={question.confirm}
          onConfirm={onClose}
          onCancel={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}
