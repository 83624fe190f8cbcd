import { Modal, type ModalProps } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import classes from "./dialog.module.css";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly size?: NonNullable<ModalProps["size"]>;
  readonly children: ReactNode;
}

/** Gives the focus back to what had it before, once the dialog is gone. */
export function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    },
    [before],
  );
}

/** The second tap of a double tap on the button that opened the dialog falls beside it, within this time. */
const doubleTapMs = 400;

function usePast(milliseconds: number): boolean {
  const [past, setPast] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setPast(true), milliseconds);
    return () => window.clearTimeout(timer);
  }, [milliseconds]);
  return past;
}

/** A dialog that is open as long as it is there. */
export function Dialog({ title, onClose, size = "md", children }: DialogProps) {
  useFocusReturn();
  const isSettled = usePast(doubleTapMs);
  return (
    <Modal.Root opened size={size} onClose={onClose} closeOnClickOutside={isSettled}>
      <Modal.Overlay />
      <Modal.Content>
        {/* Not Modal.Header: that is a banner landmark, of which a page has one already. */}
        <div className={classes.header}>
          <Modal.Title className={classes.title ?? ""}>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" size={48} iconSize={20} />
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** A dialog's buttons; they stay in sight while a long dialog scrolls. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}
