import { Notice } from "../notice.tsx";
import { takenNames } from "./shared-names.ts";

interface SameNameNoticeProps {
  /** As it is typed. */
  readonly name: string;
  /** What the others of its kind are called. */
  readonly others: readonly string[];
  readonly text: string;
}

/** Says that another has the name that is being given. It forbids nothing: the name may be meant. */
export function SameNameNotice({ name, others, text }: SameNameNoticeProps) {
  if (name.trim() === "" || !takenNames(others)(name)) return null;
  return (
    <Notice kind="warning" role="status">
      {text}
    </Notice>
  );
}
