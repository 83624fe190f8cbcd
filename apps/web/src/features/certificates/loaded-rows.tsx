import type { ReactNode } from "react";
import { Loaded } from "../../ui/drawing/loaded.tsx";
import { messages } from "./messages.ts";

interface Read<Page> {
  readonly pages: readonly Page[];
}

interface LoadedRowsProps<Page, Row> {
  readonly query: Parameters<typeof Loaded<Read<Page>>>[0]["query"];
  readonly rowsOf: (page: Page) => readonly Row[];
  /** As of Loaded: of what there most often is none. */
  readonly quiet?: boolean;
  /** `total` counts the rows of pages that are not read yet too. */
  readonly children: (rows: readonly Row[], total: number) => ReactNode;
}

/** The rows of a list that comes page by page, as far as they are read; nothing where there is none. */
export function LoadedRows<Page extends { readonly total?: number | undefined }, Row>({
  query,
  rowsOf,
  quiet = false,
  children,
}: LoadedRowsProps<Page, Row>) {
  return (
    <Loaded query={query} fallback={messages.failed} quiet={quiet}>
      {({ pages }) => {
        const rows = pages.flatMap(rowsOf);
        return rows.length === 0 ? null : children(rows, pages[0]?.total ?? rows.length);
      }}
    </Loaded>
  );
}
