import { Button, Title } from "@mantine/core";
import type { ReportItem } from "@stocktake/contract";
import { type ReactNode, useCallback, useMemo, useState } from "react";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { countText, quantityText } from "../../ui/formats.ts";
import { type Report, useIncludeFigure } from "./api.ts";
import { FoldingSection } from "./folding/folding-section.tsx";
import { anchors } from "./lead-to.ts";
import { messages } from "./messages.ts";
import { coverMessages } from "./print/messages.ts";
import { type Choose, everyRow, type ReportChoice } from "./report-choice.ts";
import { ExplainedRow, useExplainedRow } from "./row/explained-row.tsx";
import type { SwapOfSku } from "./swaps/swaps.ts";
import { AdjustCountDialog } from "./table/adjust-count-dialog.tsx";
import { filterOf, type ListedRows, useChosenRows, usePaperRows } from "./table/chosen-rows.ts";
import { ReportControls } from "./table/report-controls.tsx";
import { indexReport } from "./table/report-index.ts";
import type { RowOrder } from "./table/row-order.ts";
import { ImageOverlay } from "./table/thumbnail.tsx";
import { VarianceTable } from "./table/variance-table.tsx";

interface VarianceSectionProps {
  readonly report: Report;
  readonly choice: ReportChoice;
  readonly swapOf: SwapOfSku;
  /** Shows the swap that a SKU is likely in. */
  readonly onSwap: (sku: string) => void;
  readonly onChoose: Choose;
  readonly onDone: (message: string) => void;
}

const nothing: ListedRows = { items: [], lines: [], order: null };

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
function speaksOfRows({ filter, search, rows, place, sku }: ReportChoice): boolean {
  return filter !== null || rows !== null || place !== null || sku !== null || search !== "";
}

function amountText(shown: number, report: Report): string {
  const all = countText(report.items.length, "item", "items");
  return shown === report.items.length ? all : messages.shown(quantityText(shown), all);
}

/** On paper the rows are in two parts, each with its heading and how many rows it has. */
function PaperHeading({ children }: { readonly children: ReactNode }) {
  return (
    <Title order={3} fz="1rem" className="print-only">
      {children}
    </Title>
  );
}

/** The report's rows, what chooses among them, and what explains one of them. */
export function VarianceSection(props: VarianceSectionProps) {
  const { report, choice, swapOf, onSwap, onChoose, onDone } = props;
  const index = useMemo(() => indexReport(report.items), [report.items]);
  const chosen = useChosenRows(report, choice, index);
  const { items } = chosen;
  const [adjusted, setAdjusted] = useState<ReportItem | null>(null);
  const [shown, setShown] = useState<{ image: string; title: string } | null>(null);
  const including = useIncludeFigure(report.session._id);
  const { send } = including;
  const include = useCallback(
    (item: ReportItem) =>
      send(item, () => onDone(messages.uncertain[item.included ? "leftOutDone" : "includedDone"](item.sku))),
    [send, onDone],
  );
  const { explained, explain } = useExplainedRow();
  const changeOrder = useCallback((rows: RowOrder) => onChoose({ rows }), [onChoose]);
  const openImage = useCallback((image: string, title: string) => setShown({ image, title }), []);
  const paper = usePaperRows(report, choice, index);
  const amount = amountText(paper === null ? items.length : report.items.length, report);
  const { counted, neverCounted } = paper ?? { counted: chosen, neverCounted: nothing };
  const isEmpty = counted.items.length + neverCounted.items.length === 0;
  const table = {
    onOrder: changeOrder,
    currency: report.summary.currency,
    deployed: report.deployed,
    onAdjust: setAdjusted,
    onInclude: include,
    onExplain: explain,
    onOpenImage: openImage,
    explained,
    swapOf,
    onSwap,
  };
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
        <ErrorBox error={explained === null ? including.error : null} fallback={messages.uncertain.failed} />
        {isEmpty ? <NothingShown report={report} onChoose={onChoose} /> : null}
        {neverCounted.items.length === 0 || counted.items.length === 0 ? null : (
          <PaperHeading>{coverMessages.countedRows(quantityText(counted.items.length))}</PaperHeading>
        )}
        {counted.items.length === 0 ? null : (
          <VarianceTable {...table} lines={counted.lines} order={counted.order} />
        )}
        {neverCounted.items.length === 0 ? null : (
          <>
            <PaperHeading>
              {coverMessages.neverCountedRows(quantityText(neverCounted.items.length))}
            </PaperHeading>
            <VarianceTable {...table} lines={neverCounted.lines} order={neverCounted.order} />
          </>
        )}
      </FoldingSection>
      {explained === null ? null : (
        <ExplainedRow
          report={report}
          items={items}
          sku={explained}
          swap={swapOf.get(explained) ?? null}
          onGo={explain}
          onClose={() => explain(null)}
          onAdjust={setAdjusted}
          onInclude={include}
          notIncluded={including.variables?.sku === explained ? including.error : null}
        />
      )}
      {adjusted === null ? null : (
        <AdjustCountDialog
          sessionId={report.session._id}
          item={adjusted}
          now={report.items.find(({ sku }) => sku === adjusted.sku) ?? null}
          onDone={onDone}
          onClose={() => setAdjusted(null)}
        />
      )}
      {shown === null ? null : <ImageOverlay {...shown} onClose={() => setShown(null)} />}
    </>
  );
}
