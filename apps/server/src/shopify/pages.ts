import { z } from "zod";
import { rowsPerCall } from "./documents.ts";
import { PlatformRejectedError } from "./errors.ts";

const pageInfoSchema = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });

/** The schema of a connection read by nodes and pageInfo. */
export function pageSchema<Node>(node: z.ZodType<Node>) {
  return z.object({ nodes: z.array(node), pageInfo: pageInfoSchema });
}

export interface Page<Node> {
  nodes: Node[];
  pageInfo: z.infer<typeof pageInfoSchema>;
}

/**
 * All pages of a connection, one after the other, 250 rows each. Where the platform refuses a page as too
 * costly (a single query may not pass 1,000 points), the page is halved and stays so.
 */
export async function* pagesOf<Node>(
  read: (first: number, after: string | null) => Promise<Page<Node>>,
): AsyncGenerator<Node[], void, undefined> {
  let rows = rowsPerCall;
  let after: string | null = null;
  for (;;) {
    const page: Page<Node> | "too-costly" = await unlessTooCostly(rows, () => read(rows, after));
    if (page === "too-costly") {
      rows = Math.ceil(rows / 2);
      continue;
    }
    yield page.nodes;
    if (!page.pageInfo.hasNextPage) return;
    after = nextCursor(page.pageInfo.endCursor, after);
  }
}

/** What the read brings, or "too-costly" where a smaller one may still succeed. */
export async function unlessTooCostly<Result>(
  rows: number,
  read: () => Promise<Result>,
): Promise<Result | "too-costly"> {
  try {
    return await read();
  } catch (error) {
    if (rows > 1 && error instanceof PlatformRejectedError && error.kind === "too-costly")
      return "too-costly";
    throw error;
  }
}

/** A cursor that does not move on would page for ever. */
function nextCursor(endCursor: string | null | undefined, before: string | null): string {
  if (endCursor && endCursor !== before) return endCursor;
  throw new PlatformRejectedError("unexpected-answer", "a next page without a new cursor");
}
