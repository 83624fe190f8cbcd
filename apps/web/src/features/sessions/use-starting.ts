import type { CallAnswer, startSession } from "@stocktake/contract";
import { useState } from "react";
import { useLongChange } from "../../http/long-change.ts";
import { staleAfter } from "../../http/query-roots.ts";
import { useWorkUnderWay } from "../../http/work-under-way.ts";
import { operationOf } from "./api.ts";
import { messages } from "./messages.ts";

interface Starting<Input> {
  readonly store: { readonly _id: string; readonly name: string };
  readonly start: (input: Input) => Promise<CallAnswer<typeof startSession>>;
  readonly onDone: (message: string, done: { readonly startedStoreId: string }) => void;
  /** What is told beside that it has started. */
  readonly note?: string | null;
  /** Somebody came here in order to start it. */
  readonly asksAtOnce?: boolean;
}

/**
 * Asks before a session of a store is started, and follows a start that takes long, whoever began it: on its card, so that the
 * administrator can go on working.
 */
export function useStarting<Input>({
  store,
  start,
  onDone,
  note = null,
  asksAtOnce = false,
}: Starting<Input>) {
  const [asking, setAsking] = useState(asksAtOnce);
  const starting = useLongChange(start, operationOf, staleAfter.session);
  const work = useWorkUnderWay(({ kind, storeId }) => kind === "start" && storeId === store._id);
  const isLong = starting.isLong || work.operation !== null;
  return {
    ...{ starting, isLong },
    operation: work.operation ?? starting.operation,
    isBusy: starting.isPending || isLong,
    error: starting.error ?? work.error,
    asking: asking && !isLong,
    ask: () => {
      starting.reset();
      work.forget();
      setAsking(true);
    },
    cancel: () => setAsking(false),
    confirm: (input: Input) =>
      starting.send(input, () => {
        setAsking(false);
        const started = messages.started(store.name);
        onDone(note === null ? started : `${started} ${note}`, { startedStoreId: store._id });
      }),
  };
}
