import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./dialog.module.css";
import { useKeys } from "./dialog.tsx";
import { useMeantPresses } from "./pressing/meant-presses.tsx";

interface SideDrawerProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Beside the title. */
  readonly aside?: ReactNode;
  /** What a key does, or null. */
  readonly press: (event: KeyboardEvent) => (() => void) | null;
  readonly children: ReactNode;
}

/** A panel beside the page that it is about, open as long as it is there. Whoever opens it gives the focus back, and has Back close it by its address. */
export function SideDrawer({ title, onClose, aside, press, children }: SideDrawerProps) {
  useMeantPresses();
  const content = useKeys((event) => (event.key === "Escape" ? onClose : press(event)));
  return (
    <Drawer.Root
      opened
      position="right"
      size="42rem"
      onClose={onClose}
      closeOnEscape={false}
      returnFocus={false}
    >
      <Drawer.Overlay />
      {/* Named from its first frame, as a dialog is. */}
      <Drawer.Content ref={content} aria-label={title}>
        <div className={classes.header}>
          <Drawer.Title className={classes.title ?? ""} tabIndex={-1} data-autofocus>
            {title}
          </Drawer.Title>
          <div className={classes.aside}>
            {aside}
            <Drawer.CloseButton aria-label="Close" size={48} iconSize={20} />
          </div>
        </div>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
