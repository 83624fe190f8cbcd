import {
  type CallAnswer,
  type CallInput,
  decidedExceptions,
  decideExceptions,
  type ExceptionGroup,
  exceptionGroups,
  limits,
  takeBackDecisions,
} from "@stocktake/contract";
import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { callApi, pageOf } from "../../../http/call.ts";
import { queryRoots, staleAfter } from "../../../http/query-roots.ts";
import { useChange } from "../../../http/use-change.ts";

type Page = CallAnswer<typeof exceptionGroups>;

/** What waits, by code: as many groups as have been asked for. `lateOf` "": of every device; `sku` "": of every SKU. */
export function groupsQuery(sessionId: string, lateOf: string = "", sku: string = "") {
  return infiniteQueryOptions({
    queryKey: [queryRoots.exceptions, sessionId, "groups", lateOf, sku],
    queryFn: ({ signal, pageParam }) => readGroups(sessionId, { lateOf, sku, cursor: pageParam, signal }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    select: ({ pages }) => ({
      groups: pages.flatMap((page) => page.groups),
      total: pages[0]?.total ?? 0,
      waiting: pages[0]?.waiting ?? 0,
      devices: pages[0]?.devices ?? [],
      deviceCount: pages[0]?.deviceCount ?? 0,
    }),
  });
}

interface GroupsRequest {
  readonly lateOf: string;
  readonly sku?: string;
  readonly cursor: string;
  readonly signal?: AbortSignal;
}

function readGroups(id: string, { lateOf, sku = "", cursor, signal }: GroupsRequest): Promise<Page> {
  const query = {
    ...(lateOf === "" ? {} : { lateOf }),
    ...(sku === "" ? {} : { sku }),
    ...(cursor === "" ? {} : { cursor }),
  };
  return callApi(exceptionGroups, { params: { id }, query, ...(signal === undefined ? {} : { signal }) });
}

const decidedAPage = 50;

/** What was decided on, the last decision first. */
export function decidedQuery(sessionId: string) {
  return infiniteQueryOptions({
    queryKey: [queryRoots.exceptions, sessionId, "decided"],
    queryFn: ({ signal, pageParam }) =>
      callApi(decidedExceptions, {
        params: { id: sessionId },
        query: pageOf(decidedAPage, pageParam),
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => ({
      scans: pages.flatMap((page) => page.scans),
      total: pages[0]?.total ?? 0,
    }),
  });
}

/** A group's name among the others. */
export function keyOf({ input, inputType, status, sku }: ExceptionGroup): string {
  return JSON.stringify([input, inputType, status, sku]);
}

export type Decision = Omit<CallInput<typeof decideExceptions>["body"], "scanIds">;
export type DecidedScans = CallAnswer<typeof decideExceptions>["scans"];

/** The groups that are decided on, of one device's late scans where that is chosen. */
export interface DecisionRequest {
  readonly groups: readonly ExceptionGroup[];
  readonly decision: Decision;
  readonly lateOf: string;
  /** Called with what was answered before a call failed. */
  readonly onPart: (scans: DecidedScans) => void;
}

/** Those of a group that were there when it was read and wait still: more than one answer names of a large group. */
async function furtherOf(sessionId: string, group: ExceptionGroup, lateOf: string): Promise<string[]> {
  for (let cursor = ""; ; ) {
    const page = await readGroups(sessionId, { lateOf, cursor });
    const found = page.groups.find((each) => keyOf(each) === keyOf(group));
    if (found !== undefined) return found.scanIds.filter((id) => Number(id) <= Number(group.lastScanId));
    if (page.next === null || page.next === undefined) return [];
    cursor = page.next;
  }
}

/** Decides on groups in as many calls as they need; `onAnswer` is called with the answer of each. */
async function decideOnGroups(
  sessionId: string,
  { groups, decision, lateOf }: DecisionRequest,
  onAnswer: (scans: DecidedScans) => void,
): Promise<void> {
  const send = async (scanIds: string[]) => {
    const body = { ...decision, scanIds };
    const { scans } = await callApi(decideExceptions, { params: { id: sessionId }, body });
    onAnswer(scans);
    return scans.some(({ outcome }) => outcome === "done");
  };
  const ids = groups.flatMap(({ scanIds }) => scanIds);
  for (let at = 0; at < ids.length; at += limits.scansPerCall) {
    await send(ids.slice(at, at + limits.scansPerCall));
  }
  for (const group of groups.filter(({ scans, scanIds }) => scans > scanIds.length)) {
    let further = await furtherOf(sessionId, group, lateOf);
    while (further.length > 0 && (await send(further))) {
      further = await furtherOf(sessionId, group, lateOf);
    }
  }
}

/** A decision on groups, with how far it has come. */
export function useDecide(sessionId: string) {
  const [progress, setProgress] = useState<number | null>(null);
  const change = useChange(async (request: DecisionRequest) => {
    setProgress(null);
    const answered: DecidedScans = [];
    const onAnswer = (scans: DecidedScans) => {
      answered.push(...scans);
      setProgress(answered.length);
    };
    try {
      await decideOnGroups(sessionId, request, onAnswer);
    } catch (error) {
      if (answered.length > 0) request.onPart(answered);
      throw error;
    }
    return answered;
  }, staleAfter.exceptions);
  return { ...change, progress };
}
export type Deciding = ReturnType<typeof useDecide>;

type TakenBack = CallAnswer<typeof takeBackDecisions>["scans"];

/** Makes decided scans wait again. */
export function useTakeBack(sessionId: string) {
  return useChange(async (scanIds: readonly string[]) => {
    const answered: TakenBack = [];
    for (let at = 0; at < scanIds.length; at += limits.scansPerCall) {
      const body = { scanIds: scanIds.slice(at, at + limits.scansPerCall) };
      const { scans } = await callApi(takeBackDecisions, { params: { id: sessionId }, body });
      answered.push(...scans);
    }
    return answered;
  }, staleAfter.exceptions);
}
