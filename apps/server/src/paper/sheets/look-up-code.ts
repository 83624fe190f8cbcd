import { type CallAnswer, type lookUpCode, matchWithPacks, scannedCode } from "@stocktake/contract";
import { findPacks } from "../../catalogue/catalogue.ts";
import type { ScanningServices } from "../../scanning/scanning.ts";
import { codeProblem } from "../count-rows/interpret-rows.ts";
import { readPlace } from "../count-rows/place-queries.ts";

/** What a code that is keyed means in a session. @throws ApiError NOT_FOUND, SESSION_CLOSED, SESSION_ENDING. */
export async function productOfCode(
  { database, catalogue }: Pick<ScanningServices, "database" | "catalogue">,
  id: string,
  code: string,
): Promise<CallAnswer<typeof lookUpCode>> {
  const { sessionId, catalogueVersion } = await readPlace(database, id);
  const problem = codeProblem(code);
  if (problem !== null) return { match: "none", product: null, units: 1, problem };
  const { index } = await catalogue.sessionIndex(sessionId, catalogueVersion);
  const input = scannedCode(code);
  const { match, pack } = matchWithPacks(index, await findPacks(database, [input]), input);
  if (match.kind !== "one") return { match: match.kind, product: null, units: 1, problem: null };
  const { productTitle, size } = match.product;
  return { match: "one", product: { productTitle, size }, units: pack?.units ?? 1, problem: null };
}
