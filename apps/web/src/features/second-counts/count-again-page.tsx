import { Button, Group, Stack, Text } from "@mantine/core";
import type { CountingSession, PlaceToLook } from "@stocktake/contract";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { countAgainQuery } from "../../http/count-again.ts";
import { reportPath } from "../../http/report-path.ts";
import { secondCountsPath } from "../../http/second-counts.ts";
import { CountAgainRows } from "../../ui/count-again/count-again-rows.tsx";
import { CountTicked, useTicking } from "../../ui/count-again/count-ticked.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { countText, quantityText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { Section } from "../../ui/section.tsx";
import { SessionPage } from "../../ui/session-page.tsx";
import { AskDialog } from "./ask-dialog.tsx";
import { StartFollowUp } from "./follow-up.tsx";
import { countAgainHelp } from "./help.ts";
import { messages } from "./messages.ts";
import { SessionToleranceDialog } from "./tolerance-dialog.tsx";

const { countAgain: texts } = messages;

function SkusToCountAgain({ session }: { session: CountingSession }) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    countAgainQuery(session._id),
  );
  const [asked, setAsked] = useState<PlaceToLook | null>(null);
  const ticking = useTicking();
  const first = data?.pages[0];
  if (data === undefined || first === undefined) {
    return error === null ? (
      <LoadingState />
    ) : (
      <ErrorBox error={error} fallback={messages.failed} onRetry={refetch} />
    );
  }
  const rows = data.pages.flatMap((page) => page.rows);
  const total = first.total ?? rows.length;
  return (
    <Section title={texts.heading(countText(total, "SKU", "SKUs"))}>
      <ErrorBox error={error} fallback={messages.failed} onRetry={refetch} />
      {rows.length === 0 ? (
        <EmptyState title={texts.none}>{texts.noneText}</EmptyState>
      ) : (
        <Stack gap="md">
          {session.status === "closed" ? (
            <StartFollowUp sessionId={session._id} ticking={ticking} />
          ) : (
            <CountTicked sessionId={session._id} ticking={ticking} />
          )}
          <CountAgainRows
            rows={rows}
            unknownCosts={first.unknownCosts}
            currency={first.currency}
            onAsk={session.status === "closed" ? null : setAsked}
            ticking={ticking}
          />
        </Stack>
      )}
      {hasNextPage ? (
        <Group mt="md">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.more(quantityText(total - rows.length))}
          </Button>
        </Group>
      ) : null}
      {asked === null ? null : <AskDialog area={asked} onClose={() => setAsked(null)} />}
    </Section>
  );
}

/** What the list is about, and what makes the server ask for second counts by itself. */
function Intro({ session }: { session: CountingSession }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Text maw="48rem">{texts.intro}</Text>
      <Group gap="xs">
        {session.status === "closed" ? null : (
          <Button variant="default" onClick={() => setOpen(true)}>
            {texts.tolerance}
          </Button>
        )}
        <Button component={Link} to={secondCountsPath(session._id)} variant="default">
          {texts.toSecondCounts}
        </Button>
      </Group>
      {isOpen ? <SessionToleranceDialog sessionId={session._id} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** The SKUs of a session that are to be counted again, each with every reason, the most money first. */
export function CountAgainPage() {
  return (
    <SessionPage
      title={texts.title}
      subtitle={texts.subtitle}
      back={(session) =>
        session?.status === "closed"
          ? { to: reportPath(session._id), label: messages.toReport }
          : { to: "/admin/sessions", label: messages.back }
      }
      failed={messages.failed}
      missing={{ title: messages.missing, text: messages.missingText }}
      help={countAgainHelp}
    >
      {(session) => (
        <>
          <Intro session={session} />
          <SkusToCountAgain session={session} />
        </>
      )}
    </SessionPage>
  );
}
