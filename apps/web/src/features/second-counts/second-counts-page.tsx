import { Text } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { samplesQuery } from "../../http/samples.ts";
import { differencesQuery } from "../../http/second-counts.ts";
import { progressQuery } from "../../http/shared-queries.ts";
import { Loaded } from "../../ui/drawing/loaded.tsx";
import { backToReportOrSessions, SessionPage } from "../../ui/session-page.tsx";
import { secondCountsQuery } from "./api.ts";
import { comparedAreas } from "./area-states.ts";
import { Areas } from "./areas.tsx";
import { Differences } from "./differences.tsx";
import { help } from "./help.ts";
import { messages } from "./messages.ts";
import { SampleSection } from "./samples.tsx";

function SessionCounts({ session }: { session: CountingSession }) {
  const progress = useQuery(progressQuery(session._id));
  const counts = useQuery(secondCountsQuery(session._id));
  const differences = useQuery(differencesQuery(session._id));
  const samples = useQuery(samplesQuery(session._id));
  const failed = [progress, counts, differences, samples].filter(({ error }) => error !== null);
  const data =
    progress.data && counts.data && differences.data && samples.data
      ? { areas: progress.data.areas, counts: counts.data, differences: differences.data, ...samples.data }
      : undefined;
  const refetch = () => Promise.all(failed.map((each) => each.refetch()));
  const query = { data, error: failed[0]?.error ?? null, refetch };
  const hasEnded = session.status === "closed";
  return (
    <Loaded query={query} fallback={messages.failed}>
      {({ areas, samples, available, ...read }) => {
        const isSampleOpen = samples.some(({ status }) => status === "counting");
        return (
          <>
            <Text maw="48rem">{messages.intro}</Text>
            <Differences sessionId={session._id} differences={read.differences} />
            <SampleSection sessionId={session._id} {...{ samples, available, hasEnded }} />
            <Areas rows={comparedAreas(areas, { ...read, isSampleOpen })} hasEnded={hasEnded} />
          </>
        );
      }}
    </Loaded>
  );
}

/** The areas of a session that are counted more than once, and the figures that somebody has to choose. */
export function SecondCountsPage() {
  return (
    <SessionPage
      title={messages.title}
      subtitle={messages.subtitle}
      back={backToReportOrSessions(messages)}
      failed={messages.failed}
      missing={{ title: messages.missing, text: messages.missingText }}
      help={help}
    >
      {(session) => <SessionCounts session={session} />}
    </SessionPage>
  );
}
