import { Button, Group, Text } from "@mantine/core";
import { leaveStockAlone, limits, type UncoveredRow } from "@stocktake/contract";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { countText, dateTimeText, partsText, quantityText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { Section } from "../../ui/section.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { QuietTable } from "../../ui/tables/quiet-table.tsx";
import { tickColumn } from "../../ui/ticking/tick-column.tsx";
import { TickedBar } from "../../ui/ticking/ticked-bar.tsx";
import { type Ticking, useTicking } from "../../ui/ticking/ticking.ts";
import { filterOf, isOfEarlierServer, type ShownStock, stockQuery, useLeaveAlone } from "./api.ts";
import { LoadedRows } from "./loaded-rows.tsx";
import { messages } from "./messages.ts";
import { ReasonDialog } from "./reason-dialog.tsx";
import { canBeAsked, StockFilters } from "./stock-filters.tsx";

const { stock: texts } = messages;
const nothingChosen: ShownStock = { vendor: "", productType: "", words: "" };
const nameOf = ({ productTitle, size, sku }: UncoveredRow) => partsText(productTitle, size, sku);

/** What is left alone: SKUs that were ticked, or all that fitted when that was chosen. */
interface Leaving {
  readonly which: { readonly skus: string[] } | { readonly every: ReturnType<typeof filterOf> };
  readonly count: number;
}

interface BarProps {
  readonly rows: readonly UncoveredRow[];
  readonly total: number;
  /** By what the rows were chosen that `total` is of. */
  readonly shown: ShownStock;
  /** What fits is still being read: the rows are those of the filter before. */
  readonly isReading: boolean;
  readonly ticking: Ticking;
  readonly onLeave: (leaving: Leaving) => void;
}

function Bar({ rows, total, shown, isReading, ticking, onLeave }: BarProps) {
  const { ticked } = ticking;
  return (
    <TickedBar
      ticking={ticking}
      shown={rows.map(({ sku }) => sku)}
      most={limits.skusPerCall}
      tooMany={texts.tooMany}
    >
      {(isTooMany) =>
        ticked.size === 0 ? (
          <Button
            variant="default"
            size="sm"
            disabled={isReading}
            onClick={() => onLeave({ which: { every: filterOf(shown) }, count: total })}
          >
            {texts.leaveAll(total)}
          </Button>
        ) : (
          <Button
            variant="default"
            size="sm"
            disabled={isTooMany}
            onClick={() => onLeave({ which: { skus: [...ticked] }, count: ticked.size })}
          >
            {texts.leave(ticked.size)}
          </Button>
        )
      }
    </TickedBar>
  );
}

interface LeaveDialogProps {
  readonly sessionId: string;
  readonly leaving: Leaving;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function LeaveDialog({ sessionId, leaving, onClose, onDone }: LeaveDialogProps) {
  const leave = useLeaveAlone(sessionId);
  const { which, count } = leaving;
  return (
    <ReasonDialog
      title={texts.title(countText(count, "SKU", "SKUs"))}
      text={texts.text}
      schema={leaveStockAlone.body}
      bodyOf={(reason) => ({ ...which, leftAlone: true, reason })}
      change={leave}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

interface StockProps {
  readonly sessionId: string;
  /** Nothing is left alone nor taken up again before the deploy is rolled back. */
  readonly isDeployed: boolean;
}

/** What is in stock and neither counted, looked for nor left alone; to be left alone on purpose. */
export function OpenStock({ sessionId, isDeployed }: StockProps) {
  const [shown, setShown] = useState(nothingChosen);
  const deferred = useDeferredValue(shown);
  const ticking = useTicking();
  const [leaving, setLeaving] = useState<Leaving | null>(null);
  const query = useInfiniteQuery({
    ...stockQuery(sessionId, "open", deferred),
    enabled: canBeAsked(deferred),
  });
  const { data, error, isPlaceholderData, refetch } = query;
  const rows = data?.pages.flatMap((page) => page.rows) ?? [];
  const total = data?.pages[0]?.total ?? rows.length;
  return (
    <Section title={texts.heading(quantityText(total))}>
      <StockFilters shown={shown} onShow={setShown} />
      <ErrorBox error={error} fallback={messages.failed} onRetry={refetch} />
      {data === undefined && error === null ? <LoadingState /> : null}
      {data !== undefined && rows.length === 0 ? (
        <EmptyState title={texts.none}>{texts.noneText}</EmptyState>
      ) : (
        <>
          {isDeployed ? null : (
            <Bar
              {...{ rows, total, ticking, shown: deferred }}
              isReading={isPlaceholderData}
              onLeave={setLeaving}
            />
          )}
          <ShowMore rowMessages={texts.rowMessages} shown={rows.length} total={total} query={query}>
            <QuietTable
              label={texts.table}
              rows={rows}
              keyOf={({ sku }) => sku}
              columns={[
                isDeployed
                  ? { header: texts.product, cell: nameOf }
                  : tickColumn({
                      header: texts.product,
                      ticking,
                      label: nameOf,
                      boxName: (row) => texts.select(nameOf(row)),
                    }),
                {
                  header: texts.brand,
                  cell: ({ vendor, productType }) => partsText(vendor || null, productType || null),
                },
                { header: texts.onHand, numeric: true, cell: ({ onHand }) => quantityText(onHand) },
              ]}
            />
          </ShowMore>
        </>
      )}
      {leaving === null ? null : (
        <LeaveDialog
          {...{ sessionId, leaving }}
          onClose={() => setLeaving(null)}
          onDone={() => {
            setLeaving(null);
            ticking.clear();
          }}
        />
      )}
    </Section>
  );
}

/** What was left alone on purpose, to be taken back; nothing where nothing was. */
export function LeftAlone({ sessionId, isDeployed }: StockProps) {
  const query = useInfiniteQuery(stockQuery(sessionId, "left_alone", nothingChosen));
  const takeBack = useLeaveAlone(sessionId);
  return (
    <LoadedRows query={query} rowsOf={(page) => page.rows} quiet>
      {(rows, total) => {
        const taking = {
          header: texts.takeBack,
          hiddenHeader: true,
          cell: (row: UncoveredRow) => (
            <Button
              variant="default"
              size="sm"
              disabled={takeBack.isPending}
              aria-label={texts.takeBackFor(nameOf(row))}
              onClick={() => takeBack.send({ skus: [row.sku], leftAlone: false })}
            >
              {texts.takeBack}
            </Button>
          ),
        };
        return (
          <Section title={texts.leftAlone(quantityText(total))}>
            <ErrorBox error={takeBack.error} fallback={texts.failed} />
            {isDeployed ? (
              <Text fz="sm">{texts.onceDeployed}</Text>
            ) : (
              <Group>
                <Button
                  variant="default"
                  size="sm"
                  disabled={takeBack.isPending}
                  onClick={() => takeBack.send({ every: {}, leftAlone: false })}
                >
                  {texts.takeBackAll(total)}
                </Button>
              </Group>
            )}
            <ShowMore rowMessages={texts.rowMessages} shown={rows.length} total={total} query={query}>
              <QuietTable
                label={texts.leftTable}
                rows={rows}
                keyOf={({ sku }) => sku}
                columns={[
                  { header: texts.product, cell: nameOf },
                  { header: texts.onHand, numeric: true, cell: ({ onHand }) => quantityText(onHand) },
                  {
                    header: texts.why,
                    cell: ({ leftAlone }) =>
                      leftAlone === null
                        ? null
                        : texts.by(leftAlone.reason, leftAlone.by, dateTimeText(leftAlone.at)),
                  },
                  ...(isDeployed ? [] : [taking]),
                ]}
              />
            </ShowMore>
          </Section>
        );
      }}
    </LoadedRows>
  );
}

/** What a deploy has set to zero although nobody had counted it; nothing where there is none. */
export function ZeroedStock({ sessionId }: { readonly sessionId: string }) {
  const query = useInfiniteQuery(stockQuery(sessionId, "zeroed", nothingChosen));
  if (isOfEarlierServer(query.error)) return null;
  return (
    <LoadedRows query={query} rowsOf={(page) => page.rows} quiet>
      {(rows, total) => {
        return (
          <Section title={texts.zeroed(quantityText(total))}>
            <Text fz="sm">{texts.zeroedText}</Text>
            <ShowMore rowMessages={texts.rowMessages} shown={rows.length} total={total} query={query}>
              <QuietTable
                label={texts.zeroedTable}
                rows={rows}
                keyOf={({ sku }) => sku}
                columns={[
                  { header: texts.product, cell: nameOf },
                  { header: texts.hadOnHand, numeric: true, cell: ({ onHand }) => quantityText(onHand) },
                  {
                    header: texts.deployed,
                    cell: ({ zeroed }) =>
                      zeroed === undefined ? null : texts.zeroedBy(zeroed.by, dateTimeText(zeroed.at)),
                  },
                ]}
              />
            </ShowMore>
          </Section>
        );
      }}
    </LoadedRows>
  );
}
