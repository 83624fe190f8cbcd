import type { WorkNotice } from "@stocktake/contract";
import { useCallback, useState } from "react";

const key = "seenDeploys";
/** More than are told of within a day. */
const kept = 100;

function readSeen(): readonly string[] {
  try {
    return (localStorage.getItem(key) ?? "").split(" ").filter((id) => id !== "");
  } catch {
    // A browser that keeps nothing shows them for their day.
    return [];
  }
}

function writeSeen(seen: readonly string[]): void {
  try {
    localStorage.setItem(key, seen.join(" "));
  } catch {
    // As above.
  }
}

/** A deploy that is done is only to be known: whoever has opened it in this browser is not told again. */
export function useSeenDeploys() {
  const [seen, setSeen] = useState(readSeen);
  const markSeen = useCallback(({ kind, adjustmentId }: WorkNotice) => {
    if (kind !== "deploy_done" || adjustmentId === null) return;
    const next = [adjustmentId, ...readSeen()].slice(0, kept);
    writeSeen(next);
    setSeen(next);
  }, []);
  const isSeen = ({ kind, adjustmentId }: WorkNotice) =>
    kind === "deploy_done" && adjustmentId !== null && seen.includes(adjustmentId);
  return { isSeen, markSeen };
}
