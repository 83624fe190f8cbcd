import type { CallAnswer, listSheets, readSheet } from "@stocktake/contract";
import type { Database } from "../../database/pool.ts";
import { notFound } from "../../kernel/api-error.ts";
import { NumberPosition, type PageRequest, readPage } from "../../kernel/paging.ts";
import { requireUnarchived } from "../../sessions/sessions.ts";
import { findSheet, presentSheet, readSheets, type SheetRow } from "./sheet-queries.ts";

/** A page of a session's count sheets, in the order of their numbers. @throws ApiError NOT_FOUND, SESSION_ARCHIVED. */
export async function listOfSheets(
  database: Database,
  sessionId: string,
  page: PageRequest,
): Promise<CallAnswer<typeof listSheets>> {
  const session = await database
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", sessionId)
    .executeTakeFirst();
  if (session === undefined) throw notFound("The session");
  await requireUnarchived(database, sessionId);
  const { items, ...rest } = await readPage(page, {
    position: NumberPosition,
    positionOf: ({ number }: SheetRow) => number,
    read: (after, count) => readSheets(database, sessionId, { from: (after ?? 0) + 1, count }),
    async count() {
      const { sheets } = await database
        .selectFrom("countSheets")
        .select(({ fn }) => fn.countAll<number>().as("sheets"))
        .where("sessionId", "=", sessionId)
        .executeTakeFirstOrThrow();
      return Number(sheets);
    },
  });
  return { sheets: items.map(presentSheet), ...rest };
}

/** A sheet with its lines, without a figure on them, and what was keyed from it. @throws ApiError NOT_FOUND, SESSION_ARCHIVED. */
export async function wholeSheet(
  database: Database,
  { id, number }: { readonly id: string; readonly number: number },
): Promise<CallAnswer<typeof readSheet>> {
  const sheet = await findSheet(database, id, number);
  const { entries } = sheet;
  return {
    sheet: presentSheet(sheet),
    lines: sheet.lines.map(({ productTitle, size, code }, index) => ({
      line: index + 1,
      ...{ productTitle, size, code },
    })),
    areaStatus: sheet.present.status,
    isAreaRestarted: sheet.present.id === sheet.areaId && sheet.present.pass !== sheet.pass,
    entries:
      entries === null
        ? null
        : {
            countedAt: sheet.countedAt?.toISOString() ?? null,
            lines: [...entries.lines],
            others: [...entries.others],
          },
  };
}
