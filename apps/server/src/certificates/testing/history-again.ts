import * as contract from "@stocktake/contract";
import { expect } from "vitest";
import type { HistoryRun } from "./history-run.ts";
import { disputed, type OracleArea } from "./oracle-area.ts";
import type { StepOf } from "./random-steps.ts";

/*
 * What is counted again: second and third counts, and control samples. Each step resolves to whether there was anything to do.
 */

/** A third count that was cancelled is asked for once more. */
const owesThird = ({ second, differs, found }: OracleArea) =>
  second === "made" && differs && found.third === null;

/** Of areas that are closed, as any of a second count is. */
export async function ask({ admin, oracle, scene }: HistoryRun, drawn: string): Promise<boolean> {
  const code = oracle.areaThat(
    drawn,
    (area) => area.status === "closed" && (area.second === "none" || owesThird(area)),
  );
  if (code === undefined) return false;
  const area = oracle.area(code);
  await admin.call(contract.askSecondCount, { body: { areaId: scene.areaId(code) } });
  if (area.second === "made") oracle.samples.become(area.sample, code, "third");
  area.second = area.second === "made" ? "third" : "open";
  return true;
}

/** Ben finds what Ada has, and so many of the disputed SKU more; Cleo too, where the two differ. Asked for where nothing is. */
export async function countAgain(run: HistoryRun, { area: drawn, more }: Omit<StepOf<"count_again">, "act">) {
  const { oracle, scene } = run;
  const isOpen = ({ second }: OracleArea) => second === "open" || second === "third";
  if (oracle.areaThat(drawn, isOpen) === undefined) await ask(run, drawn);
  const code = oracle.areaThat(drawn, isOpen);
  if (code === undefined) return false;
  const area = oracle.area(code);
  const found = new Map(area.units);
  const units = area.unitsOf(disputed) + more;
  if (units > 0) found.set(disputed, units);
  const isThird = area.second === "third";
  await scene.countAgain(code, found, isThird ? scene.cleo : scene.ben);
  oracle.done.made += 1;
  if (isThird) {
    if (area.countThird(units)) oracle.done.settled += 1;
    run.meet("third counts");
  } else area.countSecond(units);
  become(run, code);
  return true;
}

/** What its sample says of an area whose second or third count is over. */
function become(run: HistoryRun, code: string): void {
  const { oracle } = run;
  const { sample, second } = oracle.area(code);
  oracle.samples.become(sample, code, second === "third" ? "third" : "counted");
  if (sample !== null && oracle.samples.statuses()[sample - 1] === "finished") run.meet("samples finished");
}

export async function cancel(run: HistoryRun, drawn: string): Promise<boolean> {
  const { admin, oracle, scene } = run;
  const code = oracle.areaThat(drawn, ({ second }) => second === "open" || second === "third");
  if (code === undefined) return false;
  const area = oracle.area(code);
  const isOfSample = area.second === "open" && area.sample !== null;
  const isHeld = isOfSample && oracle.samples.counting() === area.sample;
  const { status } = await admin.send(contract.cancelSecondCount, { body: { areaId: scene.areaId(code) } });
  expect(status).toBe(isHeld ? 409 : 200);
  if (isHeld) return true;
  oracle.done.cancelled += 1;
  if (area.second === "third") {
    area.second = "made";
    become(run, code);
  } else endControl(run, code);
  return true;
}

/** Its second count is over without a result, and another can be asked for. */
function endControl({ oracle }: HistoryRun, code: string): void {
  const area = oracle.area(code);
  oracle.samples.become(area.sample, code, "lost");
  area.sample = null;
  area.second = "none";
}

export async function settle(run: HistoryRun, { area: drawn, choice }: Omit<StepOf<"settle">, "act">) {
  const { admin, oracle, params } = run;
  const code = oracle.areaThat(drawn, ({ differs, second }) => differs && second !== "third");
  if (code === undefined) return false;
  const area = oracle.area(code);
  const chosen = choice === "third" && area.found.third === null ? "second" : choice;
  const { differences } = await admin.call(contract.countDifferences, { params });
  for (const { area: of, ofPass, sku, settledAs } of differences) {
    if (of.code !== code || settledAs !== null) continue;
    const body = { areaId: of._id, ofPass, sku, choice: chosen, reason: "It was looked at" };
    await admin.call(contract.settleDifference, { params, body });
  }
  area.settle(chosen);
  oracle.done.settled += 1;
  return true;
}

export async function drawSample(run: HistoryRun, { areas }: Omit<StepOf<"draw_sample">, "act">) {
  const { admin, oracle, params } = run;
  const free = [...oracle.areas.values()].filter(
    ({ status, second }) => status === "closed" && second === "none",
  );
  if (free.length === 0) return false;
  const body = { areas: Math.min(areas, free.length), reason: "Another one" };
  const { status, body: answer } = await admin.send(contract.drawSample, { params, body });
  expect(status).toBe(oracle.samples.counting() === null ? 201 : 409);
  if (status === 409) return true;
  const { sample } = contract.drawSample.answer.parse(answer);
  const codes = sample.drawn.map(({ area }) => area.code);
  expect(oracle.samples.draw(codes)).toBe(sample.number);
  for (const code of codes) Object.assign(oracle.area(code), { second: "open", sample: sample.number });
  return true;
}

export async function voidSample(run: HistoryRun): Promise<boolean> {
  const { admin, oracle, params } = run;
  const number = oracle.samples.counting();
  if (number === null) return false;
  await admin.call(contract.voidSample, { params, body: { number, reason: "Ben went home" } });
  oracle.samples.declareVoid(number);
  run.meet("samples declared void");
  for (const [code, { sample, second }] of oracle.areas) {
    if (sample !== number || second !== "open") continue;
    oracle.done.cancelled += 1;
    endControl(run, code);
  }
  return true;
}
