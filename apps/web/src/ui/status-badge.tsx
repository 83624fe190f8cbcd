import { CheckIcon, CircleIcon, ClockIcon, ErrorIcon, WarningIcon } from "./icons.tsx";
import classes from "./status-badge.module.css";

export type StatusTone = "positive" | "negative" | "warning" | "info" | "neutral";

const icons = {
  positive: CheckIcon,
  negative: ErrorIcon,
  warning: WarningIcon,
  info: ClockIcon,
  neutral: CircleIcon,
};

/** A state in one word, with its colour and an icon. */
export function StatusBadge({ tone, children }: { tone: StatusTone; children: string }) {
  const Icon = icons[tone];
  return (
    <span className={`${classes.badge} ${classes[tone]}`}>
      <Icon size={14} />
      {children}
    </span>
  );
}
