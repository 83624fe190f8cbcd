import { useCallback, useRef } from "react";
import { words } from "./messages.ts";
import { countedArea, type StationCore, type StationPorts } from "./use-station.ts";

/** Within this time a second tap is the bounce of the first: an unsure finger must not take back a scan that was right. */
const bounceMs = 300;

/** Takes the newest counted scan back: here as soon as the undo is on the disk, on the server when it is sent. */
export function useUndo({ device, place, play }: StationPorts, { now, dispatch }: StationCore): () => void {
  const undoneAt = useRef(Number.NEGATIVE_INFINITY);
  return useCallback(() => {
    const { tally, pass, block } = now();
    const entry = tally.at(-1);
    const at = performance.now();
    if (entry === undefined || block !== null || at - undoneAt.current < bounceMs) return;
    undoneAt.current = at;
    const area = countedArea(place, pass);
    // Off the tally at once, so that the next tap takes the scan before it.
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
