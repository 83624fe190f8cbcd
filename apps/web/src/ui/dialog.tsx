import { Modal, type ModalProps } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import classes from "./dialog.module.css";
import { useFirstField } from "./focus/first-field.ts";
import { useBackCloses } from "./pressing/back-closes.tsx";
import { useMeantPresses } from "./pressing/meant-presses.tsx";

interface DialogProps {
  readonly title: string;
  /** Null where only what is in it closes it: neither a key, nor the ✕, nor a tap beside it. */
  readonly onClose: (() => void) | null;
  readonly size?: NonNullable<ModalProps["size"]>;
  /** More comes into it while it is open: it begins at the top, so that what is pressed stays where it is. */
  readonly grows?: boolean;
  readonly children: ReactNode;
}

/** What a dialog sends: whether it is under way, and why it failed. */
export interface PendingChange {
  readonly isPending: boolean;
  readonly error: unknown;
}

/**
 * Gives the focus back to what had it before, once the dialog is gone. Where it takes the place of another dialog, that one has
 * given the focus back already when the effect looks; while React renders it is still in that dialog.
 */
export function useFocusReturn(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
}

/**
 * Keys go to the uppermost dialog alone, wherever the focus is; left to itself the library would close every one that is
 * open on Escape. `press` returns what the key does there, or null.
 */
export function useKeys(press: (event: KeyboardEvent) => (() => void) | null) {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const onEvent = (event: KeyboardEvent) => {
      if (event.isComposing || event.defaultPrevented) return;
      if ([...document.querySelectorAll("[role=dialog]")].at(-1) !== content.current) return;
      const action = press(event);
      if (action === null) return;
      event.preventDefault();
      action();
    };
    window.addEventListener("keydown", onEvent, true);
    return () => window.removeEventListener("keydown", onEvent, true);
  }, [press]);
  return content;
}

const stayOpen = () => undefined;

/** A dialog that is open as long as it is there. Its first field has the focus, unless it marks something by `data-autofocus`. */
export function Dialog({ title, onClose, size = "md", grows = false, children }: DialogProps) {
  useFocusReturn();
  useMeantPresses();
  const close = onClose ?? stayOpen;
  useBackCloses(close);
  const content = useKeys(({ key }) => (key === "Escape" ? close : null));
  const body = useFirstField();
  return (
    <Modal.Root
      opened
      size={size}
      {...(grows ? { centered: false } : {})}
      onClose={close}
      closeOnEscape={false}
    >
      <Modal.Overlay />
      {/* Its name, until the library has linked its title: that comes a frame later, or many on a busy phone. */}
      <Modal.Content ref={content} aria-label={title}>
        {/* Not Modal.Header: that is a banner landmark, of which a page has one already. */}
        <div className={classes.header}>
          <Modal.Title className={classes.title ?? ""}>{title}</Modal.Title>
          {onClose === null ? null : <Modal.CloseButton aria-label="Close" size={48} iconSize={20} />}
        </div>
        <Modal.Body ref={body} className={classes.body ?? ""}>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface DialogActionsProps {
  /** Why what was asked for was not done; in sight wherever the dialog is scrolled to, as the button is that asked for it. */
  readonly failure?: ReactNode;
  readonly children: ReactNode;
}

/** A dialog's buttons; they stay visible while a long dialog scrolls. */
export function DialogActions({ failure = null, children }: DialogActionsProps) {
  return (
    <div className={classes.foot}>
      {failure}
      <div className={classes.actions}>{children}</div>
    </div>
  );
}
