import { Text } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { samplesQuery } from "../../http/samples.ts";
import { differencesQuery } from "../../http/second-counts.ts";
import { progressQuery } from "../../http/shared-queries.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
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
  const failed = [progress, counts, differences, samples].find(({ error }) => error !== null);
  const isComplete = progress.data && counts.data && differences.data && samples.data;
  if (!isComplete) {
    return failed === undefined ? (
      <LoadingState />
    ) : (
      <ErrorBox error={failed.error} fallback={messages.failed} onRetry={failed.refetch} />
    );
  }
  const isSampleOpen = samples.data.samples.some(({ status }) => status === "counting");
  const known = { counts: counts.data, differences: differences.data, isSampleOpen };
  return (
    <>
      <Text maw="48rem">{messages.intro}</Text>
      <Differences sessionId={session._id} differences={differences.data} />
      <SampleSection
        sessionId={session._id}
        samples={samples.data.samples}
        available={samples.data.available}
        hasEnded={session.status === "closed"}
      />
      <Areas rows={comparedAreas(progress.data.areas, known)} hasEnded={session.status === "closed"} />
    </>
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
