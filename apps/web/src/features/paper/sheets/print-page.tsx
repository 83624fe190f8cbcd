import { Anchor, Button, Stack } from "@mantine/core";
import { type CallAnswer, limits, readSheet } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearchParams } from "react-router";
import { callApi } from "../../../http/call.ts";
import { sessionsQuery } from "../../../http/shared-queries.ts";
import { sheetsPath } from "../../../http/sheets.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { countName } from "../../../ui/search/session-text.ts";
import { printHelp } from "./help.ts";
import { messages } from "./messages.ts";
import { pagesOf, SheetPaper } from "./sheet-paper.tsx";

const { paper: texts } = messages;

type Sheet = CallAnswer<typeof readSheet>;

/** So many sheets are asked for at a time. */
const readAtOnce = 4;
/** More than any printing makes: an address may say anything. */
const mostSheets = 10 * limits.sheetAreas;

function numbersIn(query: URLSearchParams): number[] {
  const [from, to] = [Number(query.get("from")), Number(query.get("to"))];
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 1) return [];
  return Array.from(
    { length: Math.min(Math.max(to - from + 1, 0), mostSheets) },
    (_sheet, index) => from + index,
  );
}

async function readAll(sessionId: string, numbers: readonly number[], signal: AbortSignal): Promise<Sheet[]> {
  const sheets: Sheet[] = [];
  for (let at = 0; at < numbers.length; at += readAtOnce) {
    const read = numbers
      .slice(at, at + readAtOnce)
      .map((number) => callApi(readSheet, { params: { id: sessionId, number: String(number) }, signal }));
    sheets.push(...(await Promise.all(read)));
  }
  return sheets;
}

/** Sheets as they are printed, the numbers `from` to `to` (/admin/sessions/:sessionId/sheets/print). Only what is out is printed. */
export function PrintSheetsPage() {
  const { sessionId = "" } = useParams();
  const numbers = numbersIn(useSearchParams()[0]);
  const { data: sessions } = useQuery(sessionsQuery);
  const session = sessions?.find(({ _id }) => _id === sessionId);
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ["sheets-to-print", sessionId, numbers[0], numbers.at(-1)],
    queryFn: ({ signal }) => readAll(sessionId, numbers, signal),
  });
  const sheets = (data ?? []).filter(({ sheet }) => sheet.state === "out");
  const pages = sheets.reduce((sum, { sheet }) => sum + pagesOf(sheet), 0);
  const isReady = sheets.length > 0 && session !== undefined;
  return (
    <Stack gap="md">
      <div className="screen-only">
        <Anchor component={Link} to={sheetsPath(sessionId)}>
          {texts.back}
        </Anchor>
        <PageHeader
          title={texts.title}
          subtitle={isReady ? texts.ready(sheets.length, pages) : ""}
          actions={
            <Button onClick={() => window.print()} disabled={!isReady}>
              {texts.print}
            </Button>
          }
          help={printHelp}
        />
      </div>
      <ErrorBox error={error} fallback={messages.failed} onRetry={refetch} />
      {isPending || (data !== undefined && session === undefined) ? <LoadingState /> : null}
      {data !== undefined && sheets.length === 0 ? (
        <EmptyState title={texts.nothing}>{texts.nothingText}</EmptyState>
      ) : null}
      {isReady
        ? sheets.map(({ sheet, lines }) => (
            <SheetPaper
              key={sheet.number}
              count={countName(session.storeId.name, session.name)}
              begunAt={session.startedAt}
              {...{ sheet, lines }}
            />
          ))
        : null}
    </Stack>
  );
}
