import { Button } from "@mantine/core";
import type { ExceptionGroup, ReportItem } from "@stocktake/contract";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef } from "react";
import { Link } from "react-router";
import { SideDrawer } from "../../../ui/drawer.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { LoadingState } from "../../../ui/loading-state.tsx";
import type { Report } from "../api.ts";
import { leadToWaiting } from "../exceptions/lead-to-waiting.ts";
import { useLeadTo } from "../lead-to.ts";
import { messages } from "../messages.ts";
import type { Swap } from "../swaps/swaps.ts";
import { ItemName } from "../table/item-name.tsx";
import { rowButtons } from "../table/row-focus.ts";
import { ProductImage } from "../table/thumbnail.tsx";
import { ByHandPart, ComparedPart, CountingPart } from "./counting-part.tsx";
import { DeployPart, OtherCountsPart } from "./deploy-part.tsx";
import { type Explanation, explanationQuery } from "./explanation-query.ts";
import { rowMessages } from "./messages.ts";
import { RecountPart } from "./recount-part.tsx";
import classes from "./row.module.css";
import { SearchedPart } from "./searched-part.tsx";
import { SwapPart } from "./swap-part.tsx";
import { TimelinePart } from "./timeline-part.tsx";
import { CostPart, VariancePart } from "./variance-part.tsx";
import { WaitingPart } from "./waiting-part.tsx";

/**
 * Gives the focus to the row that was shown last, once the drawer is gone; or does what it was closed for, which gives the focus to
 * something else.
 */
function useRowFocus(sku: string): RefObject<(() => void) | null> {
  const last = useRef(sku);
  const closedFor = useRef<(() => void) | null>(null);
  useEffect(() => {
    last.current = sku;
  }, [sku]);
  useEffect(
    () => () => {
      if (closedFor.current !== null) {
        closedFor.current();
        return;
      }
      const rows = rowButtons(document);
      rows.find((each) => each.dataset.sku === last.current)?.focus({ preventScroll: true });
    },
    [],
  );
  return closedFor;
}

interface Neighbours {
  readonly before: string | null;
  readonly after: string | null;
}

interface RowDrawerProps {
  readonly report: Report;
  readonly sku: string;
  /** The row as the report has it; null where what is shown of the report does not include it. */
  readonly item: ReportItem | null;
  /** What it was likely counted as, or what was counted as it. */
  readonly swap: Swap | null;
  /** The rows before and after it, as they are shown. */
  readonly neighbours: Neighbours;
  readonly onGo: (sku: string) => void;
  readonly onClose: () => void;
  readonly onAdjust: (item: ReportItem) => void;
  readonly onInclude: (item: ReportItem) => void;
  /** Why its figure was not included, or not left out again, the last time; null where it was. */
  readonly notIncluded: Error | null;
}

function StepButtons({ neighbours, onGo }: Pick<RowDrawerProps, "neighbours" | "onGo">) {
  const { before, after } = neighbours;
  return (
    <>
      <Button
        variant="subtle"
        px="sm"
        aria-label={rowMessages.previous}
        aria-keyshortcuts="ArrowLeft"
        title={rowMessages.keys}
        disabled={before === null}
        onClick={() => before !== null && onGo(before)}
      >
        ‹
      </Button>
      <Button
        variant="subtle"
        px="sm"
        aria-label={rowMessages.next}
        aria-keyshortcuts="ArrowRight"
        title={rowMessages.keys}
        disabled={after === null}
        onClick={() => after !== null && onGo(after)}
      >
        ›
      </Button>
    </>
  );
}

function Product({ item }: { item: ReportItem }) {
  return (
    <div className={classes.product}>
      <ProductImage image={item.image} large />
      <div className={classes.what}>
        <ItemName item={item} />
      </div>
    </div>
  );
}

interface ActionsProps extends Pick<RowDrawerProps, "report" | "onAdjust" | "onInclude"> {
  readonly explanation: Explanation;
}

function Actions({ report, explanation: { item }, onAdjust, onInclude }: ActionsProps) {
  return (
    <div className={classes.actions}>
      <Button disabled={report.deployed} onClick={() => onAdjust(item)}>
        {messages.adjust}
      </Button>
      {item.uncertain === null ? null : (
        <Button variant="default" disabled={report.deployed} onClick={() => onInclude(item)}>
          {item.included ? messages.uncertain.leaveOut : messages.uncertain.include}
        </Button>
      )}
      <Button component={Link} to={`/admin/packs?sku=${encodeURIComponent(item.sku)}`} variant="default">
        {rowMessages.addPack}
      </Button>
    </div>
  );
}

function keyStep(event: KeyboardEvent, { before, after }: Neighbours): string | null {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return null;
  if (event.key === "ArrowLeft") return before;
  return event.key === "ArrowRight" ? after : null;
}

/** Why a row of the report is what it is, and what can be done about it. */
export function RowDrawer(props: RowDrawerProps) {
  const { report, sku, item, neighbours, onGo, onClose } = props;
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    explanationQuery(report.session._id, sku),
  );
  const closedFor = useRowFocus(sku);
  const lead = useLeadTo();
  const leadToGroup = (group: ExceptionGroup) => {
    closedFor.current = () => leadToWaiting(group, lead);
    onClose();
  };
  const known = data?.item ?? item;
  return (
    <SideDrawer
      title={known === null ? rowMessages.whyUnknown : rowMessages.why(known.counted)}
      aside={<StepButtons neighbours={neighbours} onGo={onGo} />}
      onClose={onClose}
      press={(event) => {
        const next = keyStep(event, neighbours);
        return next === null ? null : () => onGo(next);
      }}
    >
      {known === null ? null : <Product item={known} />}
      <ErrorBox error={error} fallback={rowMessages.failed} onRetry={refetch} />
      {data === undefined && error === null ? <LoadingState label={rowMessages.loading} /> : null}
      {data === undefined ? null : (
        <>
          <VariancePart {...data} />
          {props.swap === null ? null : <SwapPart item={data.item} swap={props.swap} onGo={onGo} />}
          <CountingPart {...data} />
          <ComparedPart {...data} />
          <ByHandPart {...data} />
          <SearchedPart report={report} explanation={data} />
          <WaitingPart key={data.item.sku} report={report} explanation={data} onLead={leadToGroup} />
          <TimelinePart
            explanation={data}
            hasMore={hasNextPage}
            isLoadingMore={isFetchingNextPage}
            onMore={() => void fetchNextPage()}
          />
          <DeployPart {...data} report={report} />
          <CostPart {...data} />
          <OtherCountsPart {...data} />
          <RecountPart sessionId={report.session._id} item={data.item} />
          <ErrorBox error={props.notIncluded} fallback={messages.uncertain.failed} />
          <Actions {...props} explanation={data} />
        </>
      )}
    </SideDrawer>
  );
}
