import type { Adjustment, CountingSession } from "@stocktake/contract";
import { useQueries, useQuery } from "@tanstack/react-query";
import { adjustmentsQuery, sessionsQuery } from "../../http/shared-queries.ts";

/**
 * The ended sessions of a store, newest first, whose deploys may still be rolled back: a full count ends that for every
 * one before it.
 */
export function rollableSessions(sessions: readonly CountingSession[], storeId: string): CountingSession[] {
  const ended = sessions.filter((session) => session.status === "closed" && session.storeId._id === storeId);
  const newestFull = ended.findIndex((session) => session.scope === "full");
  return newestFull < 0 ? ended : ended.slice(0, newestFull + 1);
}

function stands(entry: Adjustment): boolean {
  return (entry.status === "applied" || entry.status === "partial") && entry.rolledBackAt === null;
}

/** The deploys of a store that can be rolled back until it is counted again; read while `asked`. */
export function useStandingDeploys(storeId: string, asked: boolean): Adjustment[] {
  const { data: sessions = [] } = useQuery(sessionsQuery);
  const rollable = asked ? rollableSessions(sessions, storeId) : [];
  const histories = useQueries({ queries: rollable.map(({ _id }) => adjustmentsQuery(_id)) });
  return histories.flatMap(({ data }) => data?.filter(stands) ?? []);
}
