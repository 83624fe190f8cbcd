import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useNavigate } from "react-router";
import { queryRoots } from "../../http/shared-queries.ts";
import type { CountingDevice, PendingOperation } from "../../offline/offline.ts";
import { operateAndWait } from "./await-operation.ts";
import { deviceRoots } from "./counter-queries.ts";
import { words } from "./messages.ts";
import type { CountingPlace } from "./route-state.ts";
import {
  decideStart,
  type Selection,
  type StartDecision,
  type StartKnowledge,
  type StartStep,
} from "./start-counting.ts";
import { countedArea } from "./use-station.ts";

/** An area in progress that a person has to decide on. */
export type Question = Extract<StartDecision, { kind: "ask" }>;

/** The way from the dashboard into an area. */
export interface Starting {
  /** Why the area that was asked for last does not open, and the step that is missing, where one is. */
  readonly error: string | null;
  readonly missing: StartStep | null;
  readonly question: Question | null;
  readonly isBusy: boolean;
  readonly resetError: string | null;
  readonly start: (selection: Selection, known: StartKnowledge) => StartDecision;
  /** Shows why an area that was asked for in another way does not open; null takes it away. */
  readonly refuse: (error: string | null) => void;
  readonly goOn: () => void;
  readonly reset: () => Promise<void>;
  readonly cancel: () => void;
}

function refusalOf(operation: PendingOperation): string | null {
  return operation.refusal === null ? null : `${words.failedReset} ${operation.refusal.error}`;
}

/** The pass that counting begins in after a reset: the server's, or the one that is expected while it has not spoken. */
function passAfter(operation: PendingOperation, place: CountingPlace): number {
  if (operation.answer?.kind === "reset") return operation.answer.pass;
  return operation.kind === "reset" ? operation.expectedPass : place.pass;
}

function useReset(device: CountingDevice, enter: (place: CountingPlace) => void) {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const reset = useCallback(
    async (place: CountingPlace) => {
      setBusy(true);
      setError(null);
      try {
        const { operation } = await operateAndWait(device, {
          kind: "reset",
          area: countedArea(place, place.pass),
        });
        const refusal = refusalOf(operation);
        if (refusal === null) enter({ ...place, pass: passAfter(operation, place) });
        else setError(refusal);
      } catch (reason) {
        globalThis.reportError(reason);
        setError(`${words.failedReset} the device could not keep it. Free some space, then try again.`);
      } finally {
        setBusy(false);
        void client.invalidateQueries({ queryKey: [queryRoots.areas] });
        void client.invalidateQueries({ queryKey: [deviceRoots.notes] });
      }
    },
    [device, enter, client],
  );
  return { reset, isBusy, error, clear: () => setError(null) };
}

const noRefusal = { error: null, missing: null };

/** @param replaces whether an area takes the place of this page in the history, as from another area */
export function useStarting(device: CountingDevice, replaces = false): Starting {
  const navigate = useNavigate();
  const [refusal, setRefusal] = useState<Pick<Starting, "error" | "missing">>(noRefusal);
  const refuse = useCallback((error: string | null) => setRefusal({ error, missing: null }), []);
  const [question, setQuestion] = useState<Question | null>(null);
  const enter = useCallback(
    (place: CountingPlace) => void navigate("/counter/scan", { state: place, replace: replaces }),
    [navigate, replaces],
  );
  const resetting = useReset(device, enter);
  const start = useCallback(
    (selection: Selection, known: StartKnowledge) => {
      const decision = decideStart(selection, known);
      setRefusal(decision.kind === "refused" ? decision : noRefusal);
      setQuestion(decision.kind === "ask" ? decision : null);
      if (decision.kind === "start") enter(decision.place);
      return decision;
    },
    [enter],
  );
  return {
    error: refusal.error,
    missing: refusal.missing,
    question,
    isBusy: resetting.isBusy,
    resetError: resetting.error,
    start,
    refuse,
    goOn() {
      if (question !== null) enter(question.place);
    },
    async reset() {
      if (question !== null) await resetting.reset(question.place);
    },
    cancel() {
      resetting.clear();
      setQuestion(null);
    },
  };
}
