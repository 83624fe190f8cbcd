import { Stack, Text } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { coverageQuery, useCoverageWhileCounting } from "../../http/coverage.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { backToReportOrSessions, SessionPage } from "../../ui/session-page.tsx";
import { DecidedAreas, OpenAreas } from "./areas.tsx";
import { DecidedBeyond, OpenBeyond } from "./beyond-tolerance.tsx";
import { CertificateSection } from "./certificate-section.tsx";
import { DecidedDevices, OpenDevices } from "./devices.tsx";
import { help } from "./help.ts";
import { messages } from "./messages.ts";
import { OpenList } from "./open-list.tsx";
import { LeftAlone, OpenStock, ZeroedStock } from "./stock.tsx";

function SessionCoverage({ session }: { readonly session: CountingSession }) {
  const { data, error, refetch } = useQuery(coverageQuery(session._id));
  useCoverageWhileCounting();
  if (data === undefined) {
    return error === null ? (
      <LoadingState />
    ) : (
      <ErrorBox error={error} fallback={messages.failed} onRetry={refetch} />
    );
  }
  const has = (...kinds: readonly string[]) => data.open.some(({ kind }) => kinds.includes(kind));
  const { deployed: isDeployed = false } = data;
  const ofStock = { sessionId: session._id, isDeployed };
  return (
    <Stack gap="md">
      <ErrorBox error={error} fallback={messages.failed} onRetry={refetch} />
      <CertificateSection session={session} coverage={data} />
      <OpenList session={session} open={data.open} isDeployed={isDeployed} />
      {has("areas", "empty_areas", "cut_off_counts") ? <OpenAreas session={session} /> : null}
      {has("devices", "unknown_devices") ? <OpenDevices sessionId={session._id} /> : null}
      {has("beyond_tolerance") ? <OpenBeyond session={session} /> : null}
      {has("stock") ? <OpenStock {...ofStock} /> : null}
      <DecidedAreas sessionId={session._id} />
      <DecidedDevices sessionId={session._id} />
      {session.status === "closed" ? <DecidedBeyond sessionId={session._id} /> : null}
      <LeftAlone {...ofStock} />
      {session.status === "closed" ? <ZeroedStock sessionId={session._id} /> : null}
    </Stack>
  );
}

/** What a session leaves open, to be worked off, and the certificate that nothing is. */
export function CoveragePage() {
  return (
    <SessionPage
      title={messages.title}
      subtitle={messages.subtitle}
      back={backToReportOrSessions(messages)}
      failed={messages.failed}
      missing={{ title: messages.missing, text: messages.missingText }}
      help={help}
    >
      {(session) => (
        <>
          <Text maw="48rem">{messages.intro}</Text>
          <SessionCoverage session={session} />
        </>
      )}
    </SessionPage>
  );
}
