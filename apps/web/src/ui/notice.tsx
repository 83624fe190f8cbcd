import type { ReactNode } from "react";
import { CheckIcon, ErrorIcon, InfoIcon, WarningIcon } from "./icons.tsx";
import classes from "./notice.module.css";

export type NoticeKind = "success" | "error" | "warning" | "info";

const icons = { success: CheckIcon, error: ErrorIcon, warning: WarningIcon, info: InfoIcon };

interface NoticeProps {
  readonly kind: NoticeKind;
  readonly title?: string | undefined;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  readonly role?: "alert" | "status" | "note";
}

/** A box that states something, in the colour of its kind and always with an icon and words. */
export function Notice({ kind, title, children, action, role = "note" }: NoticeProps) {
  const Icon = icons[kind];
  return (
    <div className={`${classes.notice} ${classes[kind]}`} role={role}>
      <span className={classes.icon}>
        <Icon />
      </span>
      <div className={classes.body}>
        {title === undefined ? null : <div className={classes.title}>{title}</div>}
        {children}
      </div>
      {action}
    </div>
  );
}
