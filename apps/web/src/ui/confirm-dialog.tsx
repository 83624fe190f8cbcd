import { Button, List, type ModalProps, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Dialog, DialogActions, type PendingChange } from "./dialog.tsx";
import { ErrorBox } from "./error-box.tsx";
import { useOnePress } from "./pressing/one-press.ts";

interface ConfirmDialogProps {
  readonly title: string;
  /** What happens, in a sentence. */
  readonly message: ReactNode;
  /** What will be lost or changed for good, one sentence each; empty where nothing is. */
  readonly consequences?: readonly string[];
  readonly confirmLabel: string;
  readonly busyLabel?: string;
  /** What the confirmation sends, where it sends anything. */
  readonly change?: PendingChange;
  readonly disabled?: boolean;
  readonly danger?: boolean;
  readonly size?: NonNullable<ModalProps["size"]>;
  readonly errorFallback?: string;
  /** What else can be done instead, before its own buttons. */
  readonly beside?: ReactNode;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
  readonly children?: ReactNode;
}

/** What comes of something, one sentence each. */
export function Consequences({ sentences }: { sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <List spacing={4} fz="sm">
      {sentences.map((sentence) => (
        <List.Item key={sentence}>{sentence}</List.Item>
      ))}
    </List>
  );
}

function Buttons(props: ConfirmDialogProps) {
  const { danger = true } = props;
  const busy = props.change?.isPending === true;
  const confirm = useOnePress(props.onConfirm, busy);
  return (
    <DialogActions
      failure={
        <ErrorBox error={props.change?.error} fallback={props.errorFallback ?? "Something went wrong."} />
      }
    >
      {props.beside}
      <Button variant="default" onClick={props.onCancel} disabled={busy} data-resting>
        Cancel
      </Button>
      <Button
        {...(danger ? { color: "red" } : {})}
        disabled={busy || props.disabled === true}
        onClick={confirm}
      >
        {busy ? (props.busyLabel ?? `${props.confirmLabel}…`) : props.confirmLabel}
      </Button>
    </DialogActions>
  );
}

/** Asks before something that can't be undone, and lists what will be lost. A refusal is shown in it and it stays open. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog
      title={props.title}
      {...(props.size === undefined ? {} : { size: props.size })}
      onClose={props.change?.isPending === true ? () => undefined : props.onCancel}
    >
      <Stack gap="sm">
        <Text component="div">{props.message}</Text>
        <Consequences sentences={props.consequences ?? []} />
        {props.children}
        <Buttons {...props} />
      </Stack>
    </Dialog>
  );
}
