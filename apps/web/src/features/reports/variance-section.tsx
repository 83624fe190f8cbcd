import { Button } from "@mantine/core";
import type { ReportItem } from "@stocktake/contract";
import { useCallback, useDeferredValue, useMemo, useState } from "react";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { countText, quantityText } from "../../ui/formats.ts";
import { type Report, useIncludeFigure } from "./api.ts";
import { FoldingSection } from "./folding/folding-section.tsx";
import { messages } from "./messages.ts";
import { type Choose, everyRow, type ReportChoice } from "./report-choice.ts";
import { anchors } from "./report-notices.tsx";
import { ExplainedRow, useExplainedRow } from "./row/explained-row.tsx";
import { atPlace } from "./summary/places.ts";
import { defaultFilter } from "./summary/report-shares.ts";
import type { Partners } from "./swaps/pairs.ts";
import { AdjustCountDialog } from "./table/adjust-count-dialog.tsx";
import { ReportControls } from "./table/report-controls.tsx";
import { type ReportFilter, sortGroups } from "./table/report-filter.ts";
import { groupInOrder, linesOf, type ReportLine } from "./table/report-groups.ts";
import { indexReport, type ReportIndex } from "./table/report-index.ts";
import { type RowOrder, sortRows } from "./table/row-order.ts";
import { ImageOverlay } from "./table/thumbnail.tsx";
import { VarianceTable } from "./table/variance-table.tsx";

interface VarianceSectionProps {
  readonly report: Report;
  readonly choice: ReportChoice;
  readonly partners: Partners;
  /** Shows the pair that a SKU is likely swapped in. */
  readonly onPair: (sku: string) => void;
  readonly onChoose: Choose;
  readonly onDone: (message: string) => void;
}

/** The chosen filter, or what the report shows by itself. */
function filterOf({ items }: Pick<Report, "items">, { filter }: ReportChoice): ReportFilter {
  return filter ?? defaultFilter(items);
}

interface Shown {
  readonly items: readonly ReportItem[];
  readonly lines: readonly ReportLine[];
  /** Of one list; null where the rows are under their products. */
  readonly order: RowOrder | null;
}

function linesIn(items: readonly ReportItem[], { rows, sort }: Pick<ReportChoice, "rows" | "sort">): Shown {
  if (rows !== null) {
    const sorted = sortRows(items, rows);
    return { items: sorted, lines: sorted.map((item) => ({ kind: "item", item })), order: rows };
  }
  const groups = sortGroups(groupInOrder(items), sort);
  return { items: groups.flatMap((group) => group.items), lines: linesOf(groups), order: null };
}

/** The chosen rows as they are listed. Typing goes before drawing: the rows may be thousands. */
function useChosenRows(report: Report, choice: ReportChoice, index: ReportIndex): Shown {
  const wanted = useDeferredValue(choice);
  const { search, hideNets, place, rows, sort } = wanted;
  const filter = filterOf(report, wanted);
  const items = useMemo(
    () => index.find({ filter, search, hideNets, isAt: atPlace(report.items, place) }, report),
    [index, report, filter, search, hideNets, place],
  );
  return useMemo(() => linesIn(items, { rows, sort }), [items, rows, sort]);
}

function NothingShown({ report, onChoose }: Pick<VarianceSectionProps, "report" | "onChoose">) {
  if (report.items.length === 0) {
    return <EmptyState title={messages.noVariances}>{messages.noVariancesText}</EmptyState>;
  }
  const action = (
    <Button variant="default" onClick={() => onChoose({ ...everyRow, sort: "product", rows: null })}>
      {messages.showEverything}
    </Button>
  );
  return (
    <EmptyState title={messages.nothingFits} action={action}>
      {messages.nothingFitsText}
    </EmptyState>
  );
}

/** A link that was sent asks for rows. */
function speaksOfRows({ filter, search, rows, place }: ReportChoice): boolean {
  return filter !== null || rows !== null || place !== null || search !== "";
}

function amountText(shown: number, report: Report): string {
  const all = countText(report.items.length, "item", "items");
  return shown === report.items.length ? all : messages.shown(quantityText(shown), all);
}

/** The report's rows, what chooses among them, and what explains one of them. */
export function VarianceSection(props: VarianceSectionProps) {
  const { report, choice, partners, onPair, onChoose, onDone } = props;
  const index = useMemo(() => indexReport(report.items), [report.items]);
  const { items, lines, order } = useChosenRows(report, choice, index);
  const [adjusted, setAdjusted] = useState<ReportItem | null>(null);
  const [shown, setShown] = useState<{ image: string; title: string } | null>(null);
  const including = useIncludeFigure(report.session._id);
  const { send } = including;
  const include = useCallback(
    ({ sku, included }: ReportItem) =>
      send({ sku, included: !included }, () =>
        onDone(included ? messages.uncertain.leftOutDone(sku) : messages.uncertain.includedDone(sku)),
      ),
    [send, onDone],
  );
  const { explained, explain } = useExplainedRow();
  const changeOrder = useCallback((rows: RowOrder) => onChoose({ rows }), [onChoose]);
  const openImage = useCallback((image: string, title: string) => setShown({ image, title }), []);
  const amount = amountText(items.length, report);
  return (
    <>
      <FoldingSection
        title={messages.report}
        anchor={anchors.variances}
        count={amount}
        aside={amount}
        startsOpen={speaksOfRows(choice)}
      >
        <ReportControls
          choice={choice}
          filter={filterOf(report, choice)}
          nets={index.nets.size}
          onChange={onChoose}
        />
        <ErrorBox error={including.error} fallback={messages.uncertain.failed} />
        {items.length === 0 ? (
          <NothingShown report={report} onChoose={onChoose} />
        ) : (
          <VarianceTable
            lines={lines}
            order={order}
            onOrder={changeOrder}
            currency={report.summary.currency}
            deployed={report.deployed}
            onAdjust={setAdjusted}
            onInclude={include}
            onExplain={explain}
            onOpenImage={openImage}
            explained={explained}
            partners={partners}
            onPair={onPair}
          />
        )}
      </FoldingSection>
      {explained === null ? null : (
        <ExplainedRow
          report={report}
          items={items}
          sku={explained}
          partner={partners.get(explained) ?? null}
          onGo={explain}
          onClose={() => explain(null)}
          onAdjust={setAdjusted}
          onInclude={include}
        />
      )}
      {adjusted === null ? null : (
        <AdjustCountDialog
          sessionId={report.session._id}
          item={adjusted}
          onDone={onDone}
          onClose={() => setAdjusted(null)}
        />
      )}
      {shown === null ? null : <ImageOverlay {...shown} onClose={() => setShown(null)} />}
    </>
  );
}
