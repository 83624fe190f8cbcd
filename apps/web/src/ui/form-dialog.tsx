import { Button, type ModalProps, Stack } from "@mantine/core";
import type { FormEventHandler, ReactNode } from "react";
import { DialogActions, type PendingChange } from "./dialog.tsx";
import { ErrorBox } from "./error-box.tsx";
import { TypedDialog } from "./typed-dialog.tsx";

interface FormDialogProps {
  readonly title: string;
  readonly size?: NonNullable<ModalProps["size"]>;
  readonly onClose: () => void;
  readonly onSubmit: FormEventHandler<HTMLFormElement>;
  readonly change: PendingChange;
  /** The specification's text, as of an Error box. */
  readonly errorFallback: string;
  /** What describes the thing that is changed, above the Error box. */
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
          <ErrorBox error={change.error} fallback={props.errorFallback} />
          {props.children}
          <DialogActions>
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
