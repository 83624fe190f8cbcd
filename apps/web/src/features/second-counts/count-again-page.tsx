import { Button, Checkbox, Group, Stack, Text, Title } from "@mantine/core";
import type { CountingSession, PlaceToLook } from "@stocktake/contract";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Link } from "react-router";
import { countAgainQuery } from "../../http/count-again.ts";
import { secondCountsPath } from "../../http/second-counts.ts";
import { countAgainMessages } from "../../ui/count-again/count-again-messages.ts";
import { CountAgainRows } from "../../ui/count-again/count-again-rows.tsx";
import { CountTicked } from "../../ui/count-again/count-ticked.tsx";
import { useMarkedSkus } from "../../ui/count-again/marked-skus.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { countText, partsText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { Section } from "../../ui/section.tsx";
import { backToReportOrSessions, SessionPage } from "../../ui/session-page.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { type Ticking, useTicking } from "../../ui/ticking/ticking.ts";
import { AskDialog } from "./ask-dialog.tsx";
import { StartFollowUp } from "./follow-up.tsx";
import { countAgainHelp } from "./help.ts";
import { messages } from "./messages.ts";
import { SessionToleranceDialog } from "./tolerance-dialog.tsx";

const { countAgain: texts } = messages;
const skuWords = ["SKU", "SKUs"] as const;

interface AlsoSelectedProps {
  /** The SKUs of the rows that are shown. */
  readonly shown: readonly string[];
  readonly ticking: Ticking;
  /** Of the products, where they are known. */
  readonly names: ReadonlyMap<string, string | null>;
  /** Takes the focus once nothing is listed any more. */
  readonly onEmptied: () => void;
}

/** What is ticked and not among the rows: marked in the report without a sign of a mistake, or further down the list. */
function AlsoSelected({ shown, ticking: { ticked, tick }, names, onEmptied }: AlsoSelectedProps) {
  const nameOf = (sku: string) => partsText(names.get(sku) || null, sku);
  const others = [...ticked].filter((sku) => !shown.includes(sku)).toSorted();
  if (others.length === 0) return null;
  const untick = (sku: string, box: HTMLElement) => {
    const line = box.closest("li");
    // Before the line goes, and the focus with it.
    const other = line?.nextElementSibling ?? line?.previousElementSibling;
    if (other) other.querySelector("input")?.focus();
    else onEmptied();
    tick([sku], false);
  };
  const heading = texts.alsoSelected(countText(others.length, ...skuWords));
  return (
    <div>
      <Title order={3} fz="1rem" mb="xs">
        {heading}
      </Title>
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: "none" }} aria-label={heading}>
        {others.map((sku) => (
          <li key={sku}>
            <Checkbox
              label={nameOf(sku)}
              aria-label={countAgainMessages.tick(nameOf(sku))}
              checked
              onChange={(event) => untick(sku, event.currentTarget)}
              styles={{ label: { overflowWrap: "anywhere" } }}
            />
          </li>
        ))}
      </Stack>
    </div>
  );
}

function SkusToCountAgain({ session }: { session: CountingSession }) {
  const headingId = useId();
  const query = useInfiniteQuery(countAgainQuery(session._id));
  const { data, error, refetch } = query;
  const [asked, setAsked] = useState<PlaceToLook | null>(null);
  const hasEnded = session.status === "closed";
  const whileCounting = useTicking();
  const rows = data?.pages.flatMap((page) => page.rows) ?? [];
  const nameOf = (sku: string) => {
    const row = rows.find((each) => each.sku === sku);
    return row === undefined ? null : partsText(row.productTitle, row.size);
  };
  const marked = useMarkedSkus(session._id, nameOf);
  const ticking = hasEnded ? marked : whileCounting;
  const first = data?.pages[0];
  if (data === undefined || first === undefined) {
    return error === null ? (
      <LoadingState />
    ) : (
      <ErrorBox error={error} fallback={messages.failed} onRetry={refetch} />
    );
  }
  const total = first.total ?? rows.length;
  return (
    <Section title={texts.heading(countText(total, ...skuWords))} anchor={headingId}>
      <ErrorBox error={error} fallback={messages.failed} onRetry={refetch} />
      <Stack gap="md">
        {rows.length === 0 ? <EmptyState title={texts.none}>{texts.noneText}</EmptyState> : null}
        {hasEnded ? (
          <StartFollowUp sessionId={session._id} ticking={ticking} />
        ) : (
          <CountTicked sessionId={session._id} ticking={ticking} />
        )}
        <AlsoSelected
          shown={rows.map(({ sku }) => sku)}
          ticking={ticking}
          names={marked.names}
          onEmptied={() => document.getElementById(headingId)?.focus()}
        />
        <ShowMore rowMessages={skuWords} shown={rows.length} total={total} query={query}>
          <CountAgainRows
            rows={rows}
            unknownCosts={first.unknownCosts}
            currency={first.currency}
            onAsk={hasEnded ? null : setAsked}
            ticking={ticking}
          />
        </ShowMore>
      </Stack>
      {asked === null ? null : <AskDialog area={asked} onClose={() => setAsked(null)} />}
    </Section>
  );
}

/** What the list is about, and what makes the server ask for second counts by itself. */
function Intro({ session }: { session: CountingSession }) {
  const [isOpen, setOpen] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  return (
    <>
      <SuccessMessage floats message={message} onClose={() => setMessage(null)} />
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
      {isOpen ? (
        <SessionToleranceDialog sessionId={session._id} onDone={setMessage} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

/** The SKUs of a session that are to be counted again, each with every reason, the most money first. */
export function CountAgainPage() {
  return (
    <SessionPage
      title={texts.title}
      subtitle={texts.subtitle}
      back={backToReportOrSessions(messages)}
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
