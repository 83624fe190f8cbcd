import { CloseButton } from "@mantine/core";
import { Notice } from "./notice.tsx";
import classes from "./success-message.module.css";

interface SuccessMessageProps {
  /** What succeeded; null shows nothing. */
  readonly message: string | null;
  readonly onClose?: () => void;
}

/** Says that something was done. The region is always there, so that screen readers announce what appears in it. */
export function SuccessMessage({ message, onClose }: SuccessMessageProps) {
  return (
    <div role="status" className={classes.region}>
      {message === null ? null : (
        <Notice
          kind="success"
          action={
            onClose === undefined ? null : <CloseButton aria-label="Dismiss message" onClick={onClose} />
          }
        >
          {message}
        </Notice>
      )}
    </div>
  );
}
