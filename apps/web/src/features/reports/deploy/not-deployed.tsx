import type { Adjustment } from "@stocktake/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type DeployAnswer, historyQuery, type Report } from "../api.ts";
import { messages } from "../messages.ts";
import { SkippedRows } from "./skipped-rows.tsx";

/** The last answer of a deploy, and the session's newest adjustment once it had come: the deploy itself, where it moved anything. */
interface Told {
  readonly answer: DeployAnswer;
  readonly newest: string | null;
}

function newestOf(entries: readonly Adjustment[]): string | null {
  return entries[0]?._id ?? null;
}

/** What the last deploy answered, and how it is told. The history has been read again by then. */
export function useTold({ session }: Report) {
  const client = useQueryClient();
  const [told, setTold] = useState<Told | null>(null);
  const tell = (answer: DeployAnswer) => {
    const history = client.getQueryData(historyQuery(session._id).queryKey);
    setTold({ answer, newest: newestOf(history?.adjustments ?? []) });
  };
  return { told, tell };
}

interface NotDeployedProps {
  readonly report: Report;
  readonly told: Told | null;
}

/** What the last deploy skipped; no longer true once it is rolled back, or anybody has deployed the report again. */
export function NotDeployed({ report: { session, deployed }, told }: NotDeployedProps) {
  const { data: entries = [] } = useQuery(historyQuery(session._id));
  if (told === null || told.newest !== newestOf(entries)) return null;
  const { totalAdjustments, skipped } = told.answer;
  if (!deployed && totalAdjustments !== 0) return null;
  return <SkippedRows title={messages.notDeployed(skipped.length)} skipped={skipped} />;
}
