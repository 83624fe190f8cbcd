import { countingConstants } from "@stocktake/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { queryRoots } from "../../http/shared-queries.ts";
import type { PendingOperation } from "../../offline/offline.ts";
import { learnPassAfterMismatch } from "./area-knowledge.ts";
import { operateAndWait } from "./await-operation.ts";
import { deviceRoots } from "./counter-queries.ts";
import { forgetActiveArea } from "./kept-place.ts";
import { words } from "./messages.ts";
import { blockOf } from "./station-state.ts";
import { countedArea, type StationCore, type StationPorts } from "./use-station.ts";

/** The end of an area: declaring its total, and leaving it. */
export interface Finishing {
  readonly isBusy: boolean;
  /** Sends the declared total. Resolves when the dialog may close; rejects with the text to show in it. */
  readonly finish: (declaredTotal: number) => Promise<void>;
  readonly exit: () => Promise<void>;
}

/** Goes back to the dashboard three seconds after the area is done (specification, section 9). */
function useLeavingWhenDone(isDone: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => void navigate("/counter"), countingConstants.areaCompleteRedirectMs);
    return () => clearTimeout(timer);
  }, [isDone, navigate]);
}

function useFinishAnswer(ports: StationPorts, { now, dispatch }: StationCore) {
  const { device, place, userId, play } = ports;
  const done = useCallback(async () => forgetActiveArea(device.database, userId), [device, userId]);
  const settled = useCallback(
    async (operation: PendingOperation) => {
      const { answer, refusal } = operation;
      if (refusal !== null) {
        const banner = { kind: "error", text: words.failedFinish, detail: refusal.error } as const;
        const block = blockOf(refusal.code);
        play("buzz");
        return dispatch(block === null ? { type: "say", banner } : { type: "blocked", block, banner });
      }
      if (answer?.kind !== "finish" || operation.kind !== "finish") return;
      if (answer.matched) {
        const detail = `${answer.serverTotal} counted`;
        const banner = { kind: "success", text: words.areaComplete, detail } as const;
        dispatch({ type: "blocked", block: "finished", banner });
        play("fanfare");
        return done();
      }
      const pass = await learnPassAfterMismatch({ ...place, pass: now().pass });
      const text = words.mismatch(operation.declaredTotal, answer.serverTotal);
      dispatch({ type: "started_again", pass, banner: { kind: "error", text } });
      play("buzz");
    },
    [place, now, dispatch, play, done],
  );
  const queued = useCallback(() => {
    const detail = "The area is finished once the server has the count. A mismatch shows on the dashboard.";
    const banner = { kind: "warning", text: words.savedLocally, detail } as const;
    dispatch({ type: "blocked", block: "finished", banner });
    return done();
  }, [dispatch, done]);
  return { settled, queued };
}

/** @param isHeld while a label's area is being opened, or asked about: then nobody is led away */
export function useFinishing(ports: StationPorts, core: StationCore, isHeld: boolean): Finishing {
  const { device, place, userId } = ports;
  const { now, state } = core;
  const [isBusy, setBusy] = useState(false);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { settled, queued } = useFinishAnswer(ports, core);
  useLeavingWhenDone(state.block === "finished" && !isHeld);
  const finish = useCallback(
    async (declaredTotal: number) => {
      setBusy(true);
      try {
        const area = countedArea(place, now().pass);
        const result = await operateAndWait(device, { kind: "finish", area, declaredTotal });
        await (result.kind === "settled" ? settled(result.operation) : queued());
      } finally {
        setBusy(false);
        void client.invalidateQueries({ queryKey: [queryRoots.areas] });
        void client.invalidateQueries({ queryKey: [deviceRoots.notes] });
      }
    },
    [device, place, now, settled, queued, client],
  );
  const exit = useCallback(async () => {
    await forgetActiveArea(device.database, userId);
    await navigate("/counter");
  }, [device, userId, navigate]);
  return { isBusy, finish, exit };
}
