import { answerSearch, limits, type SearchAnswer, type SearchTaskItem } from "@stocktake/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { callApi } from "../../../http/call.ts";
import { NoAnswerError } from "../../../http/errors.ts";
import { queryRoots } from "../../../http/query-roots.ts";
import { type CountingDevice, useOnline } from "../../../offline/offline.ts";
import { type OpenedList, type SearchedList, searchListQuery } from "./queries.ts";

/** A moment by the device's clocks. */
interface Given {
  readonly at: number;
  readonly elapsed: number;
}

function nowOf({ clock }: CountingDevice): Given {
  return { at: clock.now(), elapsed: clock.elapsed() };
}

/**
 * How long ago an answer was given. The clock that nobody sets stops on some systems while they sleep, as a phone may that waits for a
 * connection: then the set one has gone further. One that was set forward says too much, which only asks once more than it must.
 */
function agoMs(device: CountingDevice, { at, elapsed }: Given): number {
  const now = nowOf(device);
  const ago = Math.round(Math.max(0, now.elapsed - elapsed, now.at - at));
  return Math.min(ago, limits.searchAnswerAgeMs);
}

/** An answer that the server has not confirmed: on its way, where there is no error yet. */
export interface UnsentAnswer {
  readonly answer: SearchAnswer;
  /** Its number, taken when it was given: sent again, however late, it is not newer than what was said since. Null until it has one. */
  readonly order: number | null;
  /** When it was given, however often it is sent. */
  readonly given: Given;
  readonly error: unknown;
  /** The server did not hear it; otherwise it has refused it. */
  readonly isLost: boolean;
}

const answerWithinMs = 15_000;

type Unsent = ReadonlyMap<string, UnsentAnswer>;

/** What was said of SKUs and does not hold, as something else was said after it that came first. */
type Overtaken = ReadonlyMap<string, SearchAnswer>;

function withEntry<Value>(before: ReadonlyMap<string, Value>, sku: string, value: Value | null) {
  const after = new Map(before);
  if (value === null) after.delete(sku);
  else after.set(sku, value);
  return after;
}

/** Sends answers one by one. What did not go out stays with its SKU, and goes again by itself when the connection is back. */
export function useAnswers(device: CountingDevice, userId: string, list: OpenedList) {
  const client = useQueryClient();
  const [unsent, setUnsent] = useState<Unsent>(new Map());
  const [overtaken, setOvertaken] = useState<Overtaken>(new Map());
  const { sessionId, number } = list;
  const keep = useCallback(
    (sku: string, answer: UnsentAnswer | null) => setUnsent((before) => withEntry(before, sku, answer)),
    [],
  );
  const send = useCallback(
    async (sku: string, { answer, order, given }: Pick<UnsentAnswer, "answer" | "order" | "given">) => {
      keep(sku, { answer, order, given, error: null, isLost: false });
      setOvertaken((before) => withEntry(before, sku, null));
      const { queryKey } = searchListQuery(device, userId, { sessionId, number });
      let answerOrder = order;
      try {
        const params = { id: sessionId, number };
        answerOrder ??= await device.numberAnswer();
        const saidAgoMs = agoMs(device, given);
        const body = { sku, answer, deviceId: device.deviceId, answerOrder, saidAgoMs };
        const { item } = await callApi(answerSearch, { params, body, timeoutMs: answerWithinMs });
        client.setQueryData(
          queryKey,
          (before) => before && { ...before, value: withItem(before.value, item) },
        );
        keep(sku, null);
        if (item.answer !== answer) setOvertaken((before) => withEntry(before, sku, answer));
      } catch (error) {
        keep(sku, { answer, order: answerOrder, given, error, isLost: error instanceof NoAnswerError });
      }
      void client.invalidateQueries({ queryKey: [queryRoots.searches] });
    },
    [client, device, userId, sessionId, number, keep],
  );
  const say = useCallback(
    (sku: string, answer: SearchAnswer) => send(sku, { answer, order: null, given: nowOf(device) }),
    [device, send],
  );
  useSendAgain(device, unsent, send);
  return { unsent, overtaken, say, send };
}

function withItem({ task, items }: SearchedList, item: SearchTaskItem): SearchedList {
  return { task, items: items.map((each) => (each.sku === item.sku ? item : each)) };
}

function useSendAgain(
  device: CountingDevice,
  unsent: Unsent,
  send: (sku: string, answer: UnsentAnswer) => Promise<void>,
): void {
  const isOnline = useOnline(device);
  const lost = useRef<Unsent>(unsent);
  useEffect(() => {
    lost.current = unsent;
  }, [unsent]);
  useEffect(() => {
    if (!isOnline) return;
    for (const [sku, answer] of lost.current) if (answer.isLost) void send(sku, answer);
  }, [isOnline, send]);
}
