import { Button, Group, Stack, Text } from "@mantine/core";
import type { CountingSession, SearchedItem, SearchList } from "@stocktake/contract";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { dateTimeText, partsText, quantityText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { SearchAnswers } from "../../ui/searches/search-answers.tsx";
import { searchTexts } from "../../ui/searches/search-messages.ts";
import { Section } from "../../ui/section.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { StatusBadge, type StatusTone } from "../../ui/status-badge.tsx";
import { searchListsQuery, searchQuery, useTakeBack } from "./api.ts";
import { messages } from "./messages.ts";
import classes from "./searches.module.css";

const { lists: texts } = messages;
const figures = ["counted", "found", "notThere", "contradicted", "open"] as const;

function figuresText(list: SearchList): string {
  const parts = figures.filter((name) => list[name] > 0);
  return parts.map((name) => `${quantityText(list[name])} ${texts.figures[name]}`).join(", ");
}

const tones: Record<NonNullable<SearchedItem["state"]>, StatusTone> = {
  open: "neutral",
  found: "info",
  not_there: "positive",
  contradicted: "warning",
  overruled: "positive",
};

function stateOf({ counted, state }: SearchedItem): { tone: StatusTone; text: string } {
  if (state !== null) return { tone: tones[state], text: searchTexts.states[state] };
  return counted
    ? { tone: "positive", text: searchTexts.counted }
    : { tone: "neutral", text: searchTexts.states.open };
}

function Item({ sessionId, item }: { readonly sessionId: string; readonly item: SearchedItem }) {
  const { tone, text } = stateOf(item);
  return (
    <li className={classes.item}>
      <Group justify="space-between" gap="xs">
        <Text fw={560}>
          {partsText(item.productTitle, item.size)} <span className={classes.code}>{item.sku}</span>
        </Text>
        <StatusBadge tone={tone}>{text}</StatusBadge>
      </Group>
      <SearchAnswers sessionId={sessionId} sku={item.sku} history={item} />
    </li>
  );
}

interface SearchListDialogProps {
  readonly sessionId: string;
  readonly number: number;
  readonly onClose: () => void;
}

/** Who has answered what of a list, when and on which device; what contradicts is decided here. */
function SearchListDialog({ sessionId, number, onClose }: SearchListDialogProps) {
  const { data, error, refetch } = useQuery(searchQuery(sessionId, number));
  return (
    <Dialog title={texts.name(number)} size="lg" onClose={onClose}>
      <ErrorBox error={error} fallback={messages.failed} onRetry={refetch} />
      {data === undefined && error === null ? <LoadingState /> : null}
      {data === undefined ? null : (
        <ul className={classes.lists} aria-label={texts.items}>
          {data.items.map((item) => (
            <Item key={item.sku} sessionId={sessionId} item={item} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

interface ListLineProps {
  readonly list: SearchList;
  readonly onOpen: () => void;
  /** Null where it can't be taken back. */
  readonly onTakeBack: (() => void) | null;
}

function ListLine({ list, onOpen, onTakeBack }: ListLineProps) {
  const { number, area, assignedTo, withdrawnAt } = list;
  return (
    <li className={classes.list}>
      <div>
        <Text fw={560}>
          {partsText(
            texts.name(number),
            texts.who(assignedTo),
            texts.where(area?.code ?? null, area?.locationName ?? null),
          )}
        </Text>
        <Text fz="sm" className="tabular">
          {texts.progress(list.items - list.open, list.items)}: {figuresText(list)}
        </Text>
        <Text fz="sm" c="dimmed">
          {withdrawnAt === null
            ? texts.made(list.createdBy, dateTimeText(list.createdAt))
            : texts.withdrawn(list.withdrawnBy, dateTimeText(withdrawnAt))}
        </Text>
      </div>
      <Group gap="xs">
        <Button size="sm" variant="default" aria-label={texts.open(number)} onClick={onOpen}>
          {texts.openLabel}
        </Button>
        {onTakeBack === null ? null : (
          <Button
            size="sm"
            variant="subtle"
            color="red"
            aria-label={texts.takeBackFor(number)}
            onClick={onTakeBack}
          >
            {texts.takeBack}
          </Button>
        )}
      </Group>
    </li>
  );
}

interface TakeBackProps {
  readonly sessionId: string;
  readonly number: number;
  readonly onClose: () => void;
}

function TakeBack({ sessionId, number, onClose }: TakeBackProps) {
  const change = useTakeBack(sessionId);
  return (
    <ConfirmDialog
      title={texts.takeBackTitle(number)}
      message={texts.takeBackText}
      confirmLabel={texts.takeBack}
      change={change}
      errorFallback={texts.takeBackFailed}
      onConfirm={() => change.send(number, onClose)}
      onCancel={onClose}
    />
  );
}

/** The search lists of a session and how far each has come. */
export function SearchLists({ session }: { readonly session: CountingSession }) {
  const query = useInfiniteQuery(searchListsQuery(session._id));
  const { data, error, refetch } = query;
  const [opened, setOpened] = useState<number | null>(null);
  const [leaving, setLeaving] = useState<number | null>(null);
  const lists = data?.pages.flatMap((page) => page.lists) ?? [];
  const total = data?.pages[0]?.total ?? lists.length;
  const canTakeBack = ({ withdrawnAt }: SearchList) => withdrawnAt === null && session.status === "active";
  return (
    <Section title={texts.heading}>
      <Stack gap="sm">
        <ErrorBox error={error} fallback={messages.failed} onRetry={refetch} />
        {data === undefined && error === null ? <LoadingState /> : null}
        {data !== undefined && lists.length === 0 ? (
          <EmptyState title={texts.none}>{texts.noneText}</EmptyState>
        ) : (
          <ShowMore rowMessages={texts.rowMessages} shown={lists.length} total={total} query={query}>
            <ul className={classes.lists} aria-label={texts.heading}>
              {lists.map((list) => (
                <ListLine
                  key={list.number}
                  list={list}
                  onOpen={() => setOpened(list.number)}
                  onTakeBack={canTakeBack(list) ? () => setLeaving(list.number) : null}
                />
              ))}
            </ul>
          </ShowMore>
        )}
      </Stack>
      {opened === null ? null : (
        <SearchListDialog sessionId={session._id} number={opened} onClose={() => setOpened(null)} />
      )}
      {leaving === null ? null : (
        <TakeBack sessionId={session._id} number={leaving} onClose={() => setLeaving(null)} />
      )}
    </Section>
  );
}
