import { Button, Stack, Text } from "@mantine/core";
import type { OpenedSearchTask } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link, useParams } from "react-router";
import { ApiError } from "../../../http/errors.ts";
import { useReadAgainOn } from "../../../http/live-events.tsx";
import { queryRoots } from "../../../http/query-roots.ts";
import { useSignedIn } from "../../../identity/identity.ts";
import { type CountingDevice, useOnline } from "../../../offline/offline.ts";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { OnDevice } from "../device/on-device.tsx";
import { areaBookQuery } from "../lists/area-book.ts";
import { counterSessionsQuery } from "../lists/counter-queries.ts";
import { messages } from "./messages.ts";
import { type OpenedList, photosQuery, type SearchedList, searchListQuery } from "./queries.ts";
import { SearchItem } from "./search-item.tsx";
import classes from "./searching.module.css";
import { useAnswers } from "./use-answers.ts";
import { whereToScan } from "./where-to-scan.ts";

/** A scan of what is looked for may come from any phone. */
const scansAgainMs = 5_000;

interface ListProps {
  readonly device: CountingDevice;
  readonly list: OpenedList;
}

function useStoreId(device: CountingDevice, sessionId: string): string | null {
  const { user } = useSignedIn();
  const sessions = useQuery(counterSessionsQuery(device, user._id)).data?.value ?? [];
  return sessions.find(({ _id }) => _id === sessionId)?.storeId._id ?? null;
}

function usePhotos(device: CountingDevice, storeId: string | null, items: SearchedList["items"]) {
  const skus = useMemo(() => items.map(({ sku }) => sku), [items]);
  return useQuery(photosQuery(device, storeId, skus)).data;
}

function useScanText(device: CountingDevice, storeId: string | null, task: OpenedSearchTask): string | null {
  const { user } = useSignedIn();
  const { data: book } = useQuery(areaBookQuery(device, user._id));
  if (book === undefined || storeId === null) return null;
  return messages.scanText(whereToScan(task, book, { storeId, me: user.username }));
}

interface ItemsProps extends ListProps {
  readonly searched: SearchedList;
  readonly answers: ReturnType<typeof useAnswers>;
}

function Items({ device, list, searched, answers: { unsent, overtaken, say, send } }: ItemsProps) {
  const storeId = useStoreId(device, list.sessionId);
  const photos = usePhotos(device, storeId, searched.items);
  const scanNow = useScanText(device, storeId, searched.task);
  const open = searched.items.filter(
    ({ counted, answer, others }) => !counted && answer === null && others.length === 0,
  );
  return (
    <>
      <Text fw={560} role="status">
        {messages.placeText(searched.task.area)} {messages.left(open.length)}
      </Text>
      <ul className={classes.items} aria-label={messages.list}>
        {searched.items.map((item) => (
          <SearchItem
            key={item.sku}
            item={item}
            image={photos?.get(item.sku) ?? null}
            scanNow={scanNow}
            unsent={unsent.get(item.sku)}
            overtaken={overtaken.get(item.sku)}
            onSay={(answer) => void say(item.sku, answer)}
            onSendAgain={(answer) => void send(item.sku, answer)}
          />
        ))}
      </ul>
    </>
  );
}

function ReadyPage({ device, list }: ListProps) {
  const { user } = useSignedIn();
  const isOnline = useOnline(device);
  const { data, error, refetch } = useQuery(searchListQuery(device, user._id, list));
  const answers = useAnswers(device, user._id, list);
  useReadAgainOn("scan", queryRoots.searches, scansAgainMs);
  const isGone = error instanceof ApiError && error.code === "NOT_FOUND";
  return (
    <Stack gap="sm" className={classes.page ?? ""}>
      <PageHeader title={messages.title(list.number)} subtitle={messages.howTo} />
      <Text c="dimmed">
        {messages.change} {messages.online}
      </Text>
      {isOnline ? null : (
        <Notice kind="warning" role="status" title={messages.offlineTitle}>
          {messages.offline} {data?.from === "device" ? messages.stored : ""}
        </Notice>
      )}
      {isGone ? (
        <Notice kind="info" role="status" title={messages.gone}>
          <div>{messages.goneText}</div>
          {[...answers.unsent].map(([sku, { answer }]) => (
            <strong key={sku}>{messages.lost(sku, answer)}</strong>
          ))}
        </Notice>
      ) : (
        <ErrorBox error={error} fallback={messages.failed} onRetry={refetch} />
      )}
      {data === undefined && error === null ? <LoadingState /> : null}
      {data === undefined || isGone ? null : (
        <Items device={device} list={list} searched={data.value} answers={answers} />
      )}
      <Button component={Link} to="/counter" size="lg" variant="default">
        {messages.back}
      </Button>
    </Stack>
  );
}

/** What a counter is asked to find (/counter/search/:sessionId/:number). */
export function SearchPage() {
  const { sessionId = "", number = "" } = useParams();
  return (
    <OnDevice>
      {(device) => <ReadyPage key={`${sessionId} ${number}`} device={device} list={{ sessionId, number }} />}
    </OnDevice>
  );
}
