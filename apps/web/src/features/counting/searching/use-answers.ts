import { answerSearch, type SearchAnswer, type SearchTaskItem } from "@stocktake/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { callApi } from "../../../http/call.ts";
import { NoAnswerError } from "../../../http/errors.ts";
import { queryRoots } from "../../../http/shared-queries.ts";
import { type CountingDevice, nextAnswerOrder, useOnline } from "../../../offline/offline.ts";
import { type OpenedList, type SearchedList, searchListQuery } from "./queries.ts";

/** An answer that the server has not confirmed: on its way, where there is no error yet. */
export interface UnsentAnswer {
  readonly answer: SearchAnswer;
  readonly error: unknown;
  /** The server did not hear it; otherwise it has refused it. */
  readonly isLost: boolean;
}

const answerWithinMs = 15_000;

type Unsent = ReadonlyMap<string, UnsentAnswer>;

/** Sends answers one by one. What did not go out stays with its SKU, and goes again by itself when the connection is back. */
export function useAnswers(device: CountingDevice, userId: string, list: OpenedList) {
  const client = useQueryClient();
  const [unsent, setUnsent] = useState<Unsent>(new Map());
  const { sessionId, number } = list;
  const keep = useCallback((sku: string, answer: UnsentAnswer | null) => {
    setUnsent((before) => {
      const after = new Map(before);
      if (answer === null) after.delete(sku);
      else after.set(sku, answer);
      return after;
    });
  }, []);
  const say = useCallback(
    async (sku: string, answer: SearchAnswer) => {
      keep(sku, { answer, error: null, isLost: false });
      const { queryKey } = searchListQuery(device, userId, { sessionId, number });
      try {
        const params = { id: sessionId, number };
        const answerOrder = await nextAnswerOrder(device.database, device.clock.now());
        const body = { sku, answer, deviceId: device.deviceId, answerOrder };
        const { item } = await callApi(answerSearch, { params, body, timeoutMs: answerWithinMs });
        client.setQueryData(
          queryKey,
          (before) => before && { ...before, value: withItem(before.value, item) },
        );
        keep(sku, null);
      } catch (error) {
        keep(sku, { answer, error, isLost: error instanceof NoAnswerError });
      }
      void client.invalidateQueries({ queryKey: [queryRoots.searches] });
    },
    [client, device, userId, sessionId, number, keep],
  );
  useSayAgain(device, unsent, say);
  return { unsent, say };
}

function withItem({ task, items }: SearchedList, item: SearchTaskItem): SearchedList {
  return { task, items: items.map((each) => (each.sku === item.sku ? item : each)) };
}

function useSayAgain(
  device: CountingDevice,
  unsent: Unsent,
  say: (sku: string, answer: SearchAnswer) => Promise<void>,
): void {
  const isOnline = useOnline(device);
  const lost = useRef<Unsent>(unsent);
  useEffect(() => {
    lost.current = unsent;
  }, [unsent]);
  useEffect(() => {
    if (!isOnline) return;
    for (const [sku, { answer, isLost }] of lost.current) if (isLost) void say(sku, answer);
  }, [isOnline, say]);
}
