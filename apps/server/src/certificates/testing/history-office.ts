import * as contract from "@stocktake/contract";
import { expect } from "vitest";
import { cancel, countAgain, settle, voidSample } from "./history-again.ts";
import { decide, finish, voidSheet } from "./history-counting.ts";
import { accountForAll, emptyAll } from "./history-devices.ts";
import type { HistoryRun } from "./history-run.ts";
import type { StepOf } from "./random-steps.ts";

/*
 * What is said of areas and stock, and work that takes everything of a kind. Each step resolves to whether there was anything to do.
 */

/** Says it of the areas at once: refused as a whole where it does not fit one of them. */
export async function say(
  { oracle, scene }: HistoryRun,
  codes: readonly string[],
  { as, stated }: Pick<StepOf<"say">, "as" | "stated">,
): Promise<boolean> {
  if (codes.length === 0) return false;
  const unsaid = codes.filter((code) => !oracle.holds(code, as));
  const { status, body } = await scene.say(codes, as, stated);
  const isRefused = stated && unsaid.some((code) => !oracle.fits(code, as));
  expect([as, status]).toEqual([as, isRefused ? 409 : 200]);
  if (isRefused) return true;
  if (stated) expect(body).toEqual({ changed: unsaid.length });
  for (const code of codes) {
    if (stated) oracle.area(code).said.add(as);
    else oracle.area(code).said.delete(as);
  }
  return true;
}

export async function leave(run: HistoryRun, skus: readonly string[], leftAlone: boolean): Promise<boolean> {
  const { admin, oracle, params } = run;
  if (skus.length === 0) return false;
  const body = { skus: [...skus], leftAlone, reason: "Of the other shop" };
  const openNow = new Set(oracle.openStock());
  const { changed } = await admin.call(contract.leaveStockAlone, { params, body });
  const those = skus.filter((sku) => (leftAlone ? openNow.has(sku) : oracle.leftAlone.has(sku)));
  expect(changed).toBe(those.length);
  for (const sku of those) {
    if (leftAlone) oracle.leftAlone.add(sku);
    else oracle.leftAlone.delete(sku);
  }
  return true;
}

/** Refused while the session counts. */
export async function doWithout(run: HistoryRun, skus: readonly string[], stated: boolean): Promise<boolean> {
  const { admin, oracle, params } = run;
  if (skus.length === 0) return false;
  const body = { skus: [...skus], stated, reason: "The stockroom is flooded" };
  const { status, body: answer } = await admin.send(contract.stateBeyondTolerance, { params, body });
  expect(status).toBe(oracle.ended ? 200 : 409);
  if (!oracle.ended) return true;
  const beyond = new Set(stated ? oracle.openBeyond() : oracle.beyondTolerance());
  const those = skus.filter((sku) => beyond.has(sku) && (stated || oracle.withoutAgain.has(sku)));
  expect(answer).toEqual({ changed: those.length });
  for (const sku of those) {
    if (stated) oracle.withoutAgain.set(sku, oracle.unitsOf(sku));
    else oracle.withoutAgain.delete(sku);
  }
  if (those.length > 0) run.meet("SKUs beyond tolerance done without");
  return true;
}

export async function search(run: HistoryRun, { sku, by, found }: StepOf<"search">): Promise<boolean> {
  const { admin, oracle, params, scene } = run;
  let list = run.lists.get(sku);
  if (list === undefined) {
    if (oracle.isCounted(sku)) return false;
    const { lists } = await admin.call(contract.createSearches, { params, body: { skus: [sku] } });
    list = lists[0]?.number ?? 0;
    run.lists.set(sku, list);
  }
  const answer = found ? "found" : "not_there";
  const { api, username } = scene[by];
  const body = { sku, answer, deviceId: `phone of ${username}` } as const;
  await api.call(contract.answerSearch, { params: { ...params, number: String(list) }, body });
  const said = oracle.answers.get(sku) ?? new Map<string, contract.SearchAnswer>();
  oracle.answers.set(sku, said.set(by, answer));
  return true;
}

export async function adjust({ admin, oracle, scene }: HistoryRun, { sku, count }: StepOf<"adjust">) {
  await admin.call(contract.adjustCount, {
    params: { sessionId: scene.session._id },
    body: { sku, newCount: count, reason: "Recount" },
  });
  oracle.byHand.set(sku, count);
  oracle.done.adjusted += 1;
  return true;
}

/** Works off everything that is open of a kind, as far as that can be done. */
export async function tidy(run: HistoryRun, what: StepOf<"tidy">["what"]): Promise<boolean> {
  const { oracle } = run;
  const done: boolean[] = [];
  const isWanted = (kind: typeof what) => what === "all" || what === kind;
  if (isWanted("scans")) done.push(await tidyScans(run));
  if (isWanted("rest")) done.push(await tidyRest(run));
  if (isWanted("areas")) done.push(await tidyAreas(run));
  if (isWanted("again") && oracle.ended) done.push(await doWithout(run, oracle.openBeyond(), true));
  if (isWanted("stock")) done.push(await leave(run, oracle.openStock(), true));
  return done.includes(true);
}

async function tidyScans(run: HistoryRun): Promise<boolean> {
  const { oracle } = run;
  const { waiting } = oracle;
  const isEmptied = await emptyAll(run);
  for (const each of waiting) await decide(run, each, false);
  return isEmptied || waiting.length > 0;
}

/** A control sample of two areas is declared void, any other counted to its end; other counts are cancelled. */
async function tidyRest(run: HistoryRun): Promise<boolean> {
  const { oracle } = run;
  const codes = [...oracle.areas.keys()];
  const number = oracle.samples.counting();
  const isCounted = number !== null && oracle.samples.get(number).size !== 2;
  const done = [await accountForAll(run), !isCounted && (await voidSample(run))];
  while (oracle.sheetsOut.size > 0) done.push(await voidSheet(run));
  for (const code of codes) {
    const { sample, second } = oracle.area(code);
    if (second !== "open" && second !== "third") continue;
    const isOfCounted = isCounted && sample === number;
    done.push(await (isOfCounted ? countAgain(run, { area: code, more: 0 }) : cancel(run, code)));
  }
  while (await settle(run, { area: "A1", choice: "first" })) done.push(true);
  const cutOff = codes.filter((code) => oracle.area(code).second === "cut_off");
  done.push(await say(run, cutOff, { as: "without_second_count", stated: true }));
  return done.includes(true);
}

async function tidyAreas(run: HistoryRun): Promise<boolean> {
  const { oracle } = run;
  const codes = [...oracle.areas.keys()];
  const done: boolean[] = [];
  for (const code of codes) {
    const { status } = oracle.area(code);
    if (status !== "closed" && oracle.hasScans(code) && !oracle.ended) done.push(await finish(run, code));
  }
  const open = codes.filter((code) => oracle.became(code) === "not_counted" && oracle.fits(code, "void"));
  done.push(await say(run, open, { as: "void", stated: true }));
  const empty = codes.filter((code) => oracle.became(code) === "empty_once" && oracle.fits(code, "empty"));
  done.push(await say(run, empty, { as: "empty", stated: true }));
  return done.includes(true);
}
