import { Stack } from "@mantine/core";
import type { CallAnswer, CountingSession, readSheet } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { sheetsPath } from "../../../../http/sheets.ts";
import { EmptyState } from "../../../../ui/empty-state.tsx";
import { ErrorBox } from "../../../../ui/error-box.tsx";
import { dateTimeText, noneText, partsText } from "../../../../ui/formats.ts";
import { LoadingState } from "../../../../ui/loading-state.tsx";
import { Notice } from "../../../../ui/notice.tsx";
import { SessionPage } from "../../../../ui/session-page.tsx";
import { sheetQuery } from "../api.ts";
import { help } from "../help.ts";
import { messages as sheetMessages } from "../messages.ts";
import { KeyForm } from "./key-form.tsx";
import { messages } from "./messages.ts";
import { ReturnedSheet } from "./returned-sheet.tsx";

type Whole = CallAnswer<typeof readSheet>;

/** What somebody should know of the area before they key the sheet. */
function AreaNotices({ areaStatus, isAreaRestarted }: Whole) {
  return (
    <>
      {areaStatus === "closed" ? <Notice kind="warning" title={messages.closed} /> : null}
      {areaStatus === "in_progress" ? <Notice kind="warning" title={messages.begun} /> : null}
      {isAreaRestarted ? <Notice kind="warning" title={messages.restarted} /> : null}
    </>
  );
}

function Content({ session, whole }: { session: CountingSession; whole: Whole }) {
  const { sheet } = whole;
  if (sheet.state === "void") {
    const title = messages.void(dateTimeText(sheet.voidedAt), sheet.voidedBy?.username ?? noneText);
    return (
      <Notice kind="info" title={title}>
        {sheet.voidReason}
      </Notice>
    );
  }
  if (sheet.state === "returned") return <ReturnedSheet sessionId={session._id} whole={whole} />;
  if (session.status === "closed") return <EmptyState title={messages.over}>{messages.overText}</EmptyState>;
  return (
    <>
      <AreaNotices {...whole} />
      <KeyForm sessionId={session._id} sheet={sheet} lines={whole.lines} />
    </>
  );
}

function Sheet({ session, number }: { session: CountingSession; number: string }) {
  const { data, error, refetch } = useQuery({ ...sheetQuery(session._id, number), staleTime: 0 });
  if (data === undefined) {
    return error === null ? (
      <LoadingState />
    ) : (
      <ErrorBox error={error} fallback={messages.failed} onRetry={refetch} />
    );
  }
  const { area, printedAt } = data.sheet;
  const named = partsText(area.code, area.name === area.code ? null : area.name, area.locationName);
  return (
    <Stack gap="md">
      <div>{messages.subtitle(named, dateTimeText(printedAt))}</div>
      <Content session={session} whole={data} />
    </Stack>
  );
}

/** One count sheet: keyed here, or what was keyed (/admin/sessions/:sessionId/sheets/:number). */
export function KeySheetPage() {
  const { sessionId = "", number = "" } = useParams();
  return (
    <SessionPage
      title={messages.title(number)}
      subtitle={sheetMessages.subtitle}
      back={() => ({ to: sheetsPath(sessionId), label: messages.back })}
      failed={sheetMessages.failed}
      missing={{ title: sheetMessages.missing, text: sheetMessages.missingText }}
      help={help}
    >
      {(session) => <Sheet key={number} session={session} number={number} />}
    </SessionPage>
  );
}
