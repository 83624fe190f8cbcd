import { type ComponentProps, useState } from "react";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { Dialog } from "./dialog.tsx";

interface TypedDialogProps extends ComponentProps<typeof Dialog> {
  /** Something was typed or pasted that would be lost. */
  readonly isTyped: boolean;
}

const messages = {
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
          title={messages.title}
          message={messages.message}
          confirmLabel={messages.confirm}
          onConfirm={onClose}
          onCancel={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}
