import { callAddress, varianceReport, whoAmI } from "@stocktake/contract";
import * as z from "zod";
import { loginCookie } from "../../auth/auth.ts";

const SessionId = z.uuid();

/**
 * The addresses of the calls that a screen will begin with, as far as its own address tells: a browser that is told of them with
 * the page asks for them while it still loads the scripts that would. Each call decides by itself who may; but a report that
 * nobody is signed in for is not named, or the refusal could lie ready for whoever signs in next. What is named here and not asked for in the same words is asked for twice (e2e/src/first-load.spec.ts).
 */
export function firstCallsOf(path: string, query: URLSearchParams, cookies = ""): string[] {
  const identity = callAddress(whoAmI);
  if (path !== "/admin/reports" || !cookies.includes(`${loginCookie}=`)) return [identity];
  const { success, data: sessionId } = SessionId.safeParse(query.get("session"));
  if (!success) return [identity];
  // As the page reads its own address: only "all" shows rows without a variance (features/reports/report-query.ts).
  const view = query.get("show") === "all" ? "all" : "variances";
  // A large report takes the server longest, and a browser opens few connections.
  return [callAddress(varianceReport, { sessionId }, { view }), identity];
}
