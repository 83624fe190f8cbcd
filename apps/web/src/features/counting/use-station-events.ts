import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { queryRoots } from "../../http/shared-queries.ts";
import {
  type CountingDevice,
  isUnsettled,
  type OutboxEvent,
  type PendingOperation,
  type PendingScan,
  useOutboxEvents,
} from "../../offline/offline.ts";
import { isPassChanging } from "./area-notes.ts";
import { counterAreasQuery, counterSessionsQuery } from "./counter-queries.ts";
import { words } from "./messages.ts";
import { scanText } from "./product-text.ts";
import { bannerForElsewhere, bannerForRow, blockOf, isTakenBack } from "./station-state.ts";
import type { StationCore, StationPorts } from "./use-station.ts";

function useRowEvents({ place, play }: StationPorts, { now, dispatch, reload }: StationCore) {
  const { sessionId, areaId } = place;
  const takeRow = useCallback(
    (scan: PendingScan) => {
      if (scan.areaId !== areaId || scan.sessionId !== sessionId) {
        const banner = bannerForElsewhere(scan);
        if (banner === null) return;
        play("buzz");
        return dispatch({ type: "say", banner });
      }
      const isBack = isTakenBack(now(), scan) || scan.refusal !== null;
      if (isBack) play("buzz");
      else if (bannerForRow(now(), scan) !== null) play("beep");
      dispatch({ type: "row_changed", scan });
      if (scan.acknowledgement?.reason === "PASS_OVER") reload().catch(globalThis.reportError);
    },
    [sessionId, areaId, now, dispatch, play, reload],
  );
  const takeOperation = useCallback(
    (operation: PendingOperation) => {
      if (operation.sessionId !== sessionId || operation.areaId !== areaId) return;
      const { answer, refusal } = operation;
      if (operation.kind === "undo" && refusal !== null) {
        const banner = { kind: "error", text: words.failedUndo, detail: refusal.error } as const;
        const block = blockOf(refusal.code);
        dispatch(block === null ? { type: "say", banner } : { type: "blocked", block, banner });
        play("buzz");
        if (operation.targetId !== null) dispatch({ type: "undo_refused", id: operation.targetId });
        reload().catch(globalThis.reportError);
      }
      if (operation.kind !== "reset" || operation.expectedPass !== now().pass) return;
      if (answer?.kind === "reset") dispatch({ type: "pass_named", pass: answer.pass });
      if (refusal === null) return;
      const text = `${words.failedReset} ${refusal.error}`;
      const banner = { kind: "error", text } as const;
      const block = blockOf(refusal.code);
      // The area never came to the expected pass: counting goes on in the one before (PASS_OVER: in the server's).
      if (refusal.code !== "PASS_OVER") dispatch({ type: "pass_named", pass: operation.pass });
      dispatch(block === null ? { type: "say", banner } : { type: "blocked", block, banner });
      play("buzz");
      reload().catch(globalThis.reportError);
    },
    [sessionId, areaId, now, dispatch, play, reload],
  );
  return { takeRow, takeOperation };
}

/** Another tab's undo takes its scan off this tab's count too; this tab's own is off already. */
function useUndoElsewhere({ place }: StationPorts, { now, dispatch }: StationCore) {
  const { sessionId, areaId } = place;
  return useCallback(
    (operation: PendingOperation) => {
      if (operation.kind !== "undo") return;
      if (operation.sessionId !== sessionId || operation.areaId !== areaId) return;
      const { targetId, targetSeq } = operation;
      const entry = now().tally.find(({ id, seq }) =>
        targetId === null ? seq === targetSeq : id === targetId,
      );
      if (entry !== undefined) dispatch({ type: "undone", entry });
    },
    [sessionId, areaId, now, dispatch],
  );
}

/** Says of the newest scan that its way to the server broke off, once: it is safe on the device. */
function useUnsentBanner({ device, place }: StationPorts, { now, dispatch }: StationCore) {
  const unsent = useRef(new Map<number, PendingScan>());
  const saidOf = useRef(0);
  return useCallback(
    (event: OutboxEvent) => {
      if (event.type === "scan_added" && event.scan.areaId === place.areaId) {
        unsent.current.set(event.scan.id, event.scan);
        // Scanned while the server was away: the scan's own banner says so already.
        if (!device.connectivity.isOnline()) saidOf.current = event.scan.id;
      }
      if (event.type === "scans_settled") {
        for (const scan of event.scans) if (!isUnsettled(scan)) unsent.current.delete(scan.id);
      }
      if (event.type !== "stopped" || now().block !== null) return;
      const newest = [...unsent.current.values()].at(-1);
      if (newest === undefined || newest.id <= saidOf.current || newest.localOutcome !== "counted") return;
      saidOf.current = newest.id;
      dispatch({
        type: "say",
        banner: { kind: "warning", text: words.savedLocally, detail: scanText(newest) },
      });
    },
    [device, place, now, dispatch],
  );
}

/** Follows what the server makes of this device's rows: a late, unresolved or voided answer takes the local success back. */
export function useOutboxFollowing(ports: StationPorts, core: StationCore): void {
  const { takeRow, takeOperation } = useRowEvents(ports, core);
  const sayUnsent = useUnsentBanner(ports, core);
  const takeUndo = useUndoElsewhere(ports, core);
  const { reload } = core;
  useOutboxEvents(
    ports.device,
    useCallback(
      (event: OutboxEvent) => {
        sayUnsent(event);
        if (event.type === "scan_added") takeRow(event.scan);
        if (event.type === "scans_settled") for (const scan of event.scans) takeRow(scan);
        if (event.type === "operation_added") takeUndo(event.operation);
        if (event.type === "operation_settled") takeOperation(event.operation);
        if (event.type === "requeued") reload().catch(globalThis.reportError);
      },
      [sayUnsent, takeRow, takeUndo, takeOperation, reload],
    ),
  );
}

// Long enough to be read where everything is sent at once.
const returnReadMs = 3_000;

/** Says that the server is back, and then what came of it, unless something else has been said meanwhile. */
function sayReturn(
  device: CountingDevice,
  { now, dispatch }: Pick<StationCore, "now" | "dispatch">,
): () => void {
  const back = { kind: "info", text: words.backOnline } as const;
  const hadPending = device.queue.state().pending > 0;
  let isRead = false;
  let isDrained = false;
  const conclude = () => {
    if (!isRead || !isDrained || now().banner !== back) return;
    const isAllSent = hadPending && device.queue.state().pending === 0;
    dispatch({ type: "say", banner: isAllSent ? { kind: "info", text: words.allSent } : null });
  };
  const unsubscribe = device.bus.subscribe((event) => {
    if (event.type !== "drained") return;
    isDrained = true;
    conclude();
  });
  const timer = setTimeout(() => {
    isRead = true;
    conclude();
  }, returnReadMs);
  dispatch({ type: "say", banner: back });
  return () => {
    unsubscribe();
    clearTimeout(timer);
  };
}

/** Says on the banner, and by the chime, that the server has gone or is back. */
export function useConnectivityBanner({ device, play }: StationPorts, { now, dispatch }: StationCore): void {
  useEffect(() => {
    let endReturn = () => {};
    const unsubscribe = device.connectivity.subscribe((online) => {
      endReturn();
      if (now().block !== null) return;
      if (online) {
        endReturn = sayReturn(device, { now, dispatch });
        return;
      }
      dispatch({ type: "say", banner: { kind: "warning", text: words.offline } });
      play("chime");
    });
    return () => {
      endReturn();
      unsubscribe();
    };
  }, [device, play, now, dispatch]);
}

/** Watches the area and its session: closed, deleted or started again by others, or the session ended. */
export function useAreaWatch(ports: StationPorts, core: StationCore, isFinishing: boolean): void {
  const { device, place, userId, play } = ports;
  const { now, dispatch } = core;
  const areas = useQuery(counterAreasQuery(device, userId, place.locationId)).data;
  const sessions = useQuery(counterSessionsQuery(device, userId)).data;
  const finishing = useRef(isFinishing);
  finishing.current = isFinishing;
  useEffect(() => {
    if (sessions?.from !== "server" || now().block !== null) return;
    const session = sessions.value.find((each) => each._id === place.sessionId);
    if (session?.status === "active") return;
    dispatch({ type: "blocked", block: "no_session", banner: { kind: "error", text: words.noSession } });
    play("buzz");
  }, [sessions, place, now, dispatch, play]);
  const follow = useCallback(async () => {
    if (areas?.from !== "server" || finishing.current) return;
    const area = areas.value.find((each) => each._id === place.areaId);
    if (await isPassChanging(device.database, place.sessionId, place.areaId)) return;
    const { pass, block } = now();
    if (block !== null || finishing.current) return;
    if (area === undefined) {
      const banner = { kind: "error", text: words.areaDeleted } as const;
      dispatch({ type: "blocked", block: "area_deleted", banner });
    } else if (area.pass >= pass && area.status === "closed") {
      dispatch({ type: "blocked", block: "area_closed", banner: { kind: "error", text: words.areaClosed } });
    } else if (area.pass > pass) {
      const banner = { kind: "warning", text: words.startedAgain } as const;
      dispatch({ type: "started_again", pass: area.pass, banner });
    } else return;
    play("buzz");
  }, [areas, device, place, now, dispatch, play]);
  useEffect(() => {
    follow().catch(globalThis.reportError);
  }, [follow]);
  useReadAgainWhenBack(ports);
}

function useReadAgainWhenBack({ device }: StationPorts): void {
  const client = useQueryClient();
  useEffect(
    () =>
      device.connectivity.subscribe((online) => {
        if (!online) return;
        void client.invalidateQueries({ queryKey: [queryRoots.areas] });
        void client.invalidateQueries({ queryKey: [queryRoots.sessions] });
      }),
    [device, client],
  );
}
