import { Button } from "@mantine/core";
import type { Adjustment } from "@stocktake/contract";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "react-router";
import { differencesQuery, secondCountsPath } from "../../http/second-counts.ts";
import { countText, dateTimeText } from "../../ui/formats.ts";
import { Notice } from "../../ui/notice.tsx";
import { historyQuery, type Report } from "./api.ts";
import { groupsQuery } from "./exceptions/api.ts";
import { FollowUps } from "./follow-ups/follow-ups.tsx";
import { waitingText } from "./history/waiting-text.ts";
import { type Part, useLeadTo } from "./lead-to.ts";
import { messages } from "./messages.ts";
import { openAreasText, useOpenAreas } from "./open-areas.ts";
import { RestoredNotice } from "./release/restored-notice.tsx";
import { openDoubts } from "./summary/report-shares.ts";
import { withoutEndStock as withoutEndStockTexts } from "./table/messages.ts";
import type { ReportFilter } from "./table/report-filter.ts";
import { uncertainReasonsOf } from "./uncertain-reasons.ts";

interface OpenMatterProps {
  readonly title: string;
  readonly text: string;
  readonly label: string;
  readonly part: Part;
}

function OpenMatter({ title, text, label, part }: OpenMatterProps) {
  const lead = useLeadTo();
  return (
    <Notice
      kind="warning"
      title={title}
      action={
        <Button variant="default" size="sm" onClick={() => lead(part)}>
          {label}
        </Button>
      }
    >
      {text}
    </Notice>
  );
}

function Decisions({ report }: { report: Report }) {
  const { data } = useInfiniteQuery(groupsQuery(report.session._id));
  const waiting = data?.waiting ?? report.exceptions.unresolved + report.exceptions.late;
  if (waiting === 0) return null;
  return (
    <OpenMatter
      title={messages.notices.decisions(waiting)}
      text={report.deployed ? messages.notices.notInDeploy : messages.notices.notInCount}
      label={messages.notices.toDecisions}
      part="decisions"
    />
  );
}

/** In a count of the whole store what lies in an area that nobody closed shows as missing, and may be most of the money. */
function OpenAreas({ report, onFilter }: Pick<ReportNoticesProps, "report" | "onFilter">) {
  const { session, summary, deployed } = report;
  const title = openAreasText(useOpenAreas(session));
  if (title === null || session.scope === "partial" || deployed) return null;
  const { text, link } = messages.notices.openAreas;
  return (
    <Notice
      kind="warning"
      title={title}
      action={
        <Button variant="default" size="sm" onClick={() => onFilter("not_counted")}>
          {link}
        </Button>
      }
    >
      {text(summary.notCounted)}
    </Notice>
  );
}

/** Figures that were counted more than once, and that nobody has settled: the first count is in the report until then. */
function CountsToChoose({ report }: { report: Report }) {
  const { data = [] } = useQuery(differencesQuery(report.session._id));
  const open = data.filter(({ settledAs }) => settledAs === null).length;
  if (open === 0) return null;
  const { title, text, notInDeploy, link, look } = messages.notices.counts;
  return (
    <Notice
      kind="warning"
      title={title(open)}
      action={
        <Button component={Link} to={secondCountsPath(report.session._id)} variant="default" size="sm">
          {report.deployed ? look : link}
        </Button>
      }
    >
      {report.deployed ? notInDeploy : text}
    </Notice>
  );
}

/** Rows that a deploy leaves out because nobody can tell their figure. Once it is deployed nothing can be decided about them. */
function Uncertain({ report, onFilter }: Pick<ReportNoticesProps, "report" | "onFilter">) {
  const { rows, someIncludable } = useMemo(() => openDoubts(report), [report]);
  if (rows === 0 || report.deployed) return null;
  const { title, text, link } = messages.notices.uncertain;
  return (
    <Notice
      kind="warning"
      title={title(rows)}
      action={
        <Button variant="default" size="sm" onClick={() => onFilter("uncertain")}>
          {link}
        </Button>
      }
    >
      {text(someIncludable)}
    </Notice>
  );
}

function textOf(entry: Adjustment): string {
  const { partlyRolledBack, resumable } = entry;
  if (resumable === 0) return messages.notices.unclear;
  return partlyRolledBack === true
    ? messages.partialRollback.notMovedBack(resumable)
    : messages.notices.notMoved(resumable);
}

function IncompleteDeploy({ report }: { report: Report }) {
  const { data: entries = [] } = useQuery(historyQuery(report.session._id));
  const incomplete = entries.find((entry) => entry.status === "partial" && entry.rolledBackAt === null);
  if (incomplete === undefined) return null;
  return (
    <OpenMatter
      title={
        incomplete.partlyRolledBack === true
          ? messages.partialRollback.incomplete
          : messages.notices.incomplete
      }
      text={textOf(incomplete)}
      label={messages.notices.toHistory}
      part="history"
    />
  );
}

/** A deploy or a rollback under way that pauses or is being stopped. */
function Paused({ report }: { report: Report }) {
  const { data: entries = [] } = useQuery(historyQuery(report.session._id));
  const paused = entries.find((entry) => waitingText(entry) !== null || entry.cancelling === true);
  if (paused === undefined) return null;
  const { cancellingTitle, cancelling, goesOn } = messages.underway;
  return (
    <OpenMatter
      title={waitingText(paused) ?? cancellingTitle}
      text={paused.cancelling === true ? cancelling : goesOn}
      label={messages.notices.toHistory}
      part="history"
    />
  );
}

interface GapRows {
  /** Rows that were counted and moved then, and those of them that nobody has decided on. */
  readonly marked: number;
  readonly undecided: number;
  readonly deployed: boolean;
}

function gapOutcome({ marked, undecided, deployed }: GapRows): string {
  const { affected, leftOut, decided, unaffected } = messages.stockGaps;
  if (undecided === 0) return marked === 0 ? unaffected : decided;
  const rows = countText(undecided, "SKU was", "SKUs were");
  return deployed ? leftOut(rows) : affected(rows);
}

/** When Shopify's levels could not be read while the session counted, and which rows nobody has decided on because of that. */
function StockGaps({ report, onFilter }: Pick<ReportNoticesProps, "report" | "onFilter">) {
  const { stockGaps = [], items, deployed } = report;
  if (stockGaps.length === 0) return null;
  const marked = items.filter((item) => uncertainReasonsOf(item).includes("COUNTED_ACROSS_GAP"));
  const undecided = marked.filter((item) => !item.included && item.deployed === 0).length;
  const isOpen = undecided > 0 && !deployed;
  const times = stockGaps.map(({ from, to }) =>
    messages.stockGaps.time(dateTimeText(from), dateTimeText(to)),
  );
  return (
    <Notice
      kind={isOpen ? "warning" : "info"}
      title={messages.stockGaps.title}
      action={
        !isOpen ? null : (
          <Button variant="default" size="sm" onClick={() => onFilter("uncertain")}>
            {messages.notices.uncertain.link}
          </Button>
        )
      }
    >
      {messages.stockGaps.times(times.join(", "))}{" "}
      {gapOutcome({ marked: marked.length, undecided, deployed })}
    </Notice>
  );
}

/** Its Shopify location was gone at the end: what the figures are then, and that nothing is deployed. */
function WithoutEndStock({ report }: { report: Report }) {
  if (report.session.withoutEndStock !== true) return null;
  const { title, text } = withoutEndStockTexts;
  return (
    <Notice kind="warning" title={title}>
      {text}
    </Notice>
  );
}

interface ReportNoticesProps {
  readonly report: Report;
  /** Shows the rows of a filter. */
  readonly onFilter: (filter: ReportFilter) => void;
  readonly onDone: (message: string) => void;
}

/** What a person still has to do in a report, shown before its rows, which may be thousands. */
export function ReportNotices({ report, onFilter, onDone }: ReportNoticesProps) {
  return (
    <>
      <WithoutEndStock report={report} />
      <RestoredNotice report={report} onDone={onDone} />
      <FollowUps session={report.session} />
      <OpenAreas report={report} onFilter={onFilter} />
      <Decisions report={report} />
      <Uncertain report={report} onFilter={onFilter} />
      <CountsToChoose report={report} />
      <StockGaps report={report} onFilter={onFilter} />
      <Paused report={report} />
      <IncompleteDeploy report={report} />
    </>
  );
}
