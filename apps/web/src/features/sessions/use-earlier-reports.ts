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

/** Deployed, or being deployed now. */
function stands(entry: Adjustment): boolean {
  return entry.status !== "failed" && entry.rolledBackAt === null;
}

/** What a new count of a store puts an end to. */
interface EarlierReports {
  /** Deploys that can be rolled back until then. */
  readonly standing: readonly Adjustment[];
  /** Reports that can be deployed until then, and are not. */
  readonly undeployed: readonly CountingSession[];
}

/** The earlier reports of a store that matter to somebody who begins to count it again; read while `asked`. */
export function useEarlierReports(storeId: string, asked: boolean): EarlierReports {
  const { data: sessions = [] } = useQuery(sessionsQuery);
  const earlier = asked ? rollableSessions(sessions, storeId) : [];
  const histories = useQueries({ queries: earlier.map(({ _id }) => adjustmentsQuery(_id)) });
  const notRolledBack = histories.map(({ data }) => data?.filter(stands));
  return {
    standing: notRolledBack.flatMap((entries) => entries ?? []).filter(({ status }) => status !== "pending"),
    undeployed: earlier.filter((_session, index) => notRolledBack[index]?.length === 0),
  };
}
