import { useEffect, useState, useSyncExternalStore } from "react";
import type { StocktakeDatabase } from "../offline/offline.ts";
import { createFeedback, type Feedback, type ScannerSettings } from "./feedback.ts";

/** The feedback of a page that is mounted for as long as the device is the same. */
export function useFeedback(database: StocktakeDatabase): Feedback {
  const [feedback] = useState(() => createFeedback(database));
  useEffect(() => feedback.start(), [feedback]);
  return feedback;
}

export function useScannerSettings({ subscribe, settings }: Feedback): ScannerSettings {
  return useSyncExternalStore(subscribe, settings);
}
