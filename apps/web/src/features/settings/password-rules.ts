import { limits } from "@stocktake/contract";
import { texts } from "./texts.ts";

export interface PasswordEntry {
  readonly current: string;
  readonly next: string;
  readonly confirmation: string;
}

/** What is wrong with a change of password (specification, section 5), or null. */
export function problemOfPasswordChange(entry: PasswordEntry): string | null {
  if (entry.current === "" || entry.next === "" || entry.confirmation === "") return texts.required;
  if (entry.next !== entry.confirmation) return texts.mismatch;
  return entry.next.length < limits.passwordMinimum ? texts.tooShort : null;
}
