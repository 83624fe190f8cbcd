import { listSheets, lookUpCode, printSheets, readSheet, returnSheet, voidSheet } from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { route } from "../../kernel/route.ts";
import type { ScanIntake, ScanningServices } from "../../scanning/scanning.ts";
import { listOfSheets, wholeSheet } from "./list-sheets.ts";
import { productOfCode } from "./look-up-code.ts";
import { makeSheets } from "./print-sheets.ts";
import { takeBack } from "./return-sheet.ts";
import { declareSheetVoid } from "./void-sheet.ts";

/** Blind count sheets: printed by an administrator, and keyed back or declared void. */
export function sheetRoutes(app: FastifyInstance, context: ScanningServices, intake: ScanIntake): void {
  const { database } = context;

  route(app, printSheets, async ({ caller, params, body }) => ({
    sheets: await makeSheets(context, caller, params.id, body),
  }));

  route(app, listSheets, ({ params, query }) => listOfSheets(database, params.id, query));

  route(app, readSheet, ({ params }) => wholeSheet(database, params));

  route(app, returnSheet, ({ caller, params, body }) => takeBack(context, intake, caller, params, body));

  route(app, voidSheet, async ({ caller, params, body }) => ({
    sheet: await declareSheetVoid(context, caller, { ...params, ...body }),
  }));

  route(app, lookUpCode, ({ params, query }) => productOfCode(context, params.id, query.code));
}
