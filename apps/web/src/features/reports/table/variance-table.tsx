import { VisuallyHidden } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { ReportItem } from "@stocktake/contract";
import { measureElement, useWindowVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { signedMoneyFormat } from "../../../ui/figures/money-text.ts";
import { messages } from "../messages.ts";
import { usePrinting } from "../print/use-printing.ts";
import type { SwapOfSku } from "../swaps/swaps.ts";
import { figureRoomOf, isLongSum, widthForTable } from "./figure-room.ts";
import { keyOf, type ReportLine } from "./report-groups.ts";
import type { RowOrder } from "./row-order.ts";
import { columns, TableHead } from "./table-head.tsx";
import { VarianceGroupHeader } from "./variance-group-header.tsx";
import { VarianceRowCells } from "./variance-row.tsx";
import classes from "./variance-table.module.css";

/**
 * As most lines are; `alone`: without their product's heading. A line that turns out otherwise has the places of all below it worked out
 * again, which a guess that is wrong for each would do at every frame.
 */
const guessedHeights = {
  table: { group: 91, item: 61, alone: 91 },
  cards: { group: 114, item: 194, alone: 243 },
};
const overscan = 8;

function Spacer({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr className={classes.spacer}>
      <td colSpan={columns.length} style={{ height }} />
    </tr>
  );
}

export interface VarianceTableProps {
  readonly lines: readonly ReportLine[];
  /** Of rows in one list; null where they are under their products. */
  readonly order: RowOrder | null;
  readonly onOrder: (order: RowOrder) => void;
  readonly currency: string;
  readonly deployed: boolean;
  readonly onAdjust: (item: ReportItem) => void;
  readonly onInclude: (item: ReportItem) => void;
  readonly onExplain: (sku: string) => void;
  readonly onOpenImage: (image: string, title: string) => void;
  /** The SKU whose row is explained beside the table; null where none is. */
  readonly explained: string | null;
  readonly swapOf: SwapOfSku;
  readonly onSwap: (sku: string) => void;
}

interface LineProps
  extends Omit<VarianceTableProps, "lines" | "order" | "onOrder" | "currency" | "explained"> {
  readonly line: ReportLine;
  readonly moneyText: (value: number | null) => string;
  readonly printing: boolean;
  /** No product's heading is above it. */
  readonly isAlone: boolean;
}

function LineCells({ line, ...props }: LineProps) {
  if (line.kind === "item") {
    return (
      <VarianceRowCells
        item={line.item}
        isAlone={props.isAlone}
        moneyText={props.moneyText}
        deployed={props.deployed}
        onAdjust={props.onAdjust}
        onInclude={props.onInclude}
        onExplain={props.onExplain}
        swap={props.swapOf.get(line.item.sku) ?? null}
        onSwap={props.onSwap}
      />
    );
  }
  return (
    <th scope="rowgroup" colSpan={columns.length} className={classes.groupCell}>
      <VarianceGroupHeader
        group={line.group}
        moneyText={props.moneyText}
        printing={props.printing}
        onOpenImage={props.onOpenImage}
      />
    </th>
  );
}

interface RowProps extends LineProps {
  readonly index: number;
  readonly isExplained: boolean;
  readonly measure: ((row: HTMLTableRowElement | null) => void) | undefined;
}

/** A line as a row. Drawn anew only when it has changed: while the table is scrolled most lines stay what they are. */
const Row = memo(function Row({ index, isExplained, measure, ...cells }: RowProps) {
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      aria-current={isExplained ? "true" : undefined}
      className={cells.line.kind === "group" ? classes.groupRow : classes.itemRow}
    >
      <LineCells {...cells} />
    </tr>
  );
});

/**
 * Where the table begins in the page, in pixels from its top; null until the page is laid out, and measured again when the page grows or
 * shrinks.
 */
function useOffsetInPage() {
  const ref = useRef<HTMLTableElement>(null);
  const [offset, setOffset] = useState<number | null>(null);
  useLayoutEffect(() => {
    const measure = () => {
      const top = ref.current?.getBoundingClientRect().top;
      if (top !== undefined) setOffset(Math.round(top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  return { ref, offset };
}

/**
 * The browser tells each row's height once it has laid the row out, before it paints. To ask for it when the row is added lays the whole
 * page out once more, row by row.
 */
function heightOf<Row extends Element>(
  row: Row,
  entry: ResizeObserverEntry | undefined,
  virtualizer: Virtualizer<Window, Row>,
): number {
  const known = virtualizer.measurementsCache[virtualizer.indexFromElement(row)];
  return entry === undefined && known !== undefined ? known.size : measureElement(row, entry, virtualizer);
}

interface Drawn {
  readonly lines: readonly ReportLine[];
  readonly asTable: boolean;
  /** No product's heading is above a row. */
  readonly areAlone: boolean;
  readonly offset: number | null;
}

/** Lists whose places are told from each other, and more places than a list has: together as many as a small whole number holds. */
const listsApart = 64;
const placesApart = 2 ** 24;

/**
 * How high each line is as far as it was measured in any list, else as guessed. While a list is scrolled its heights are kept by their places:
 * by the SKUs, those of the 100,000 below are looked up all over the memory whenever one line is not as high as guessed, which takes ten
 * times as long.
 */
function useHeights({ lines, asTable, areAlone }: Drawn) {
  const [known] = useState(() => ({ lists: 0, form: "", heights: new Map<string, number>() }));
  return useMemo(() => {
    const form = `${asTable} ${areAlone}`;
    if (form !== known.form) known.heights.clear();
    known.form = form;
    const guessed = asTable ? guessedHeights.table : guessedHeights.cards;
    const guesses = new Uint16Array(lines.length).fill(areAlone ? guessed.alone : guessed.item);
    if (!areAlone || known.heights.size > 0) {
      lines.forEach((line, index) => {
        const height = known.heights.get(keyOf(line));
        if (height !== undefined) guesses[index] = height;
        else if (line.kind === "group") guesses[index] = guessed.group;
      });
    }
    known.lists = (known.lists + 1) % listsApart;
    const first = known.lists * placesApart;
    return {
      estimateSize: (index: number) => guesses[index] ?? 0,
      getItemKey: (index: number) => first + index,
      measureElement(
        row: HTMLTableRowElement,
        entry: ResizeObserverEntry | undefined,
        virtualizer: Virtualizer<Window, HTMLTableRowElement>,
      ) {
        const height = heightOf(row, entry, virtualizer);
        const line = lines[virtualizer.indexFromElement(row)];
        if (entry !== undefined && line !== undefined) known.heights.set(keyOf(line), height);
        return height;
      },
    };
  }, [lines, asTable, areAlone, known]);
}

function useVisibleLines(drawn: Drawn) {
  const { lines, offset } = drawn;
  const begin = offset ?? 0;
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    ...useHeights(drawn),
    count: lines.length,
    overscan,
    scrollMargin: begin,
  });
  // Which lines are in sight is known once it is known where the table begins.
  const items = offset === null ? [] : virtualizer.getVirtualItems();
  const before = (items[0]?.start ?? begin) - begin;
  const after = virtualizer.getTotalSize() + begin - (items.at(-1)?.end ?? begin);
  return { measure: virtualizer.measureElement, items, before, after, goTo: virtualizer.scrollToIndex };
}

/** Keeps the explained row in sight, so that whoever goes on from row to row finds it when they come back. */
function useFollowed(lines: readonly ReportLine[], explained: string | null, goTo: (index: number) => void) {
  useEffect(() => {
    if (explained === null) return;
    const index = lines.findIndex((line) => line.kind === "item" && line.item.sku === explained);
    if (index >= 0) goTo(index);
  }, [lines, explained, goTo]);
}

/** For paper, which does not scroll. */
function everyLine(lines: readonly ReportLine[]) {
  const items = lines.map((_line, index) => ({ index }));
  return { measure: undefined, items, before: 0, after: 0 };
}

/** The report's rows under their products. Only the visible lines are rendered: a report may have thousands. */
export const VarianceTable = memo(function VarianceTable(props: VarianceTableProps) {
  const { lines, order, onOrder, currency, explained, ...row } = props;
  const moneyText = useMemo(() => signedMoneyFormat(currency), [currency]);
  const printing = usePrinting();
  const room = useMemo(() => figureRoomOf(lines, moneyText), [lines, moneyText]);
  const wideEnough = `(min-width: ${widthForTable(room)}em)`;
  const wide = useMediaQuery(wideEnough, true, { getInitialValueInEffect: false });
  const asTable = printing || wide;
  const { ref, offset } = useOffsetInPage();
  const visible = useVisibleLines({ lines, asTable, areAlone: order !== null, offset });
  useFollowed(lines, explained, visible.goTo);
  const { measure, items, before, after } = printing ? everyLine(lines) : visible;
  return (
    <table
      ref={ref}
      className={`${classes.table} ${asTable ? "" : classes.cards} ${isLongSum(room) ? classes.longSums : ""}`}
      style={{ "--money-letters": room.money, "--quantity-letters": room.quantity }}
      aria-rowcount={lines.length + 1}
    >
      <caption>
        <VisuallyHidden>{messages.report}</VisuallyHidden>
      </caption>
      <TableHead order={order} onOrder={onOrder} />
      <tbody>
        <Spacer height={before} />
        {items.map(({ index }) => {
          const line = lines[index];
          if (line === undefined) return null;
          return (
            <Row
              key={keyOf(line)}
              index={index}
              isExplained={line.kind === "item" && line.item.sku === explained}
              measure={measure}
              line={line}
              moneyText={moneyText}
              printing={printing}
              isAlone={order !== null}
              {...row}
            />
          );
        })}
        <Spacer height={after} />
      </tbody>
    </table>
  );
});
