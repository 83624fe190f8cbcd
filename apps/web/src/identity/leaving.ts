import { createContext } from "react";

/** Says what stays behind when the person leaves this device, or null when nothing does. */
export type LeavingWarning = () => Promise<string | null>;

/** Asked before logging out; the counter's outbox answers with what it still holds. */
export const LeavingWarningContext = createContext<LeavingWarning>(() => Promise.resolve(null));
