import { Button, Group, Loader, Stack, VisuallyHidden } from "@mantine/core";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { countText, quantityText } from "./formats.ts";

/** What the rows are: one, and several of them, as in "area" and "areas". */
export type RowMessages = readonly [one: string, many: string];

interface Query {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

interface ShowMoreProps {
  readonly rowMessages: RowMessages;
  readonly shown: number;
  readonly total: number;
  readonly query: Query;
  /** The rows: those of a table, or the points of lists. */
  readonly children: ReactNode;
}

/** The rows of a list; what a row contains may be a list of its own. */
function rowsIn(list: HTMLElement | null): HTMLElement[] {
  const rows = [...(list?.querySelectorAll<HTMLElement>("tbody > tr, li") ?? [])];
  return rows.filter((row) => row.parentElement?.closest("tr, li") === null);
}

/** The row itself and not a button in it, which one more press of Enter would press. */
function focusRow(row: HTMLElement | undefined): void {
  if (row === undefined) return;
  row.tabIndex = -1;
  row.focus();
}

/** What the list was when more of it was asked for. */
interface Before {
  readonly rows: readonly HTMLElement[];
  readonly shown: number;
}

/**
 * Asks for the next page, and returns how many rows the last one that was asked for has added. Once there is none, the button
 * that was pressed is gone: then the first new row has the focus.
 */
function useNextPage(list: RefObject<HTMLElement | null>, { query, shown }: ShowMoreProps) {
  const { hasNextPage, isFetchingNextPage } = query;
  const [before, setBefore] = useState<Before | null>(null);
  const [added, setAdded] = useState(0);
  useEffect(() => {
    if (before === null || isFetchingNextPage || shown === before.shown) return;
    setBefore(null);
    setAdded(Math.max(0, shown - before.shown));
    if (hasNextPage || document.activeElement !== document.body) return;
    focusRow(rowsIn(list.current).find((row) => !before.rows.includes(row)));
  }, [before, hasNextPage, isFetchingNextPage, list, shown]);
  const ask = () => {
    if (isFetchingNextPage) return;
    setBefore({ rows: rowsIn(list.current), shown });
    setAdded(0);
    void query.fetchNextPage();
  };
  return { added, ask };
}

/** A list that comes page by page, with a button for the next one as long as there is one. */
export function ShowMore(props: ShowMoreProps) {
  const { rowMessages, shown, total, query, children } = props;
  const list = useRef<HTMLDivElement>(null);
  const { added, ask } = useNextPage(list, props);
  const [one, many] = rowMessages;
  return (
    <Stack gap="sm">
      <Stack gap="sm" ref={list}>
        {children}
      </Stack>
      <VisuallyHidden role="status">
        {added === 0 ? null : `${countText(added, one, many)} added`}
      </VisuallyHidden>
      {query.hasNextPage ? (
        <Group>
          <Button
            variant="default"
            size="sm"
            // Not disabled: the focus would be lost.
            aria-disabled={query.isFetchingNextPage}
            rightSection={query.isFetchingNextPage ? <Loader size="xs" /> : null}
            onClick={ask}
          >
            Show More&nbsp;<VisuallyHidden>{many} </VisuallyHidden>({quantityText(total - shown)} left)
          </Button>
        </Group>
      ) : null}
    </Stack>
  );
}
