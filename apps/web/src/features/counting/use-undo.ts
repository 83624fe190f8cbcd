import { useCallback } from "react";
import { words } from "./messages.ts";
import { countedArea, type StationCore, type StationPorts } from "./use-station.ts";

/** Takes the newest counted scan back: here as soon as the undo is on the disk, on the server when it is sent. */
export function useUndo({ device, place, play }: StationPorts, { now, dispatch }: StationCore): () => void {
  return useCallback(() => {
    const { tally, pass, block } = now();
    const entry = tally.at(-1);
    if (entry === undefined || block !== null) return;
    const area = countedArea(place, pass);
    // Off the tally at once, so that a second press takes the scan before it.
    dispatch({ type: "undone", entry });
    device.operate({ kind: "undo", area, targetId: entry.id, targetSeq: entry.seq }).then(
      () => play("knock"),
      (error: unknown) => {
        globalThis.reportError(error);
        dispatch({ type: "undo_failed", entry, banner: { kind: "error", text: words.failedUndo } });
        play("buzz");
      },
    );
  }, [device, place, play, now, dispatch]);
}
