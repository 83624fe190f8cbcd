import type { Product } from "@stocktake/testkit";
import { pause } from "../kill/persist.ts";
import { type RunningCount, startCount } from "../running-count.ts";
import { MovingDesk } from "./moving-desk.ts";
import { killNode, type NodesStage } from "./nodes-stage.ts";
import { joinPhones, wrongInReport } from "./phones.ts";

/** What came of a stocktake of which a node was killed. */
export interface OneKilled {
  /** How long after the kill the deploy had ended elsewhere, and the start was said to have failed. */
  readonly deployMs: number;
  readonly startMs: number;
  /** How long after another node was killed the end of a session was said to have failed. */
  readonly endMs: number;
  readonly scans: number;
  /** What is not as it has to be, one sentence each. */
  readonly wrong: readonly string[];
}

const areasPerPhone = 8;
const phoneNames = ["ann", "ben"];

function codesOf(phone: number): string[] {
  return Array.from({ length: areasPerPhone }, (_nothing, index) => `N${phone}${index}`);
}

function openCount(stage: NodesStage): Promise<RunningCount> {
  const codes = phoneNames.flatMap((_name, phone) => codesOf(phone));
  const areas = codes.map((code) => ({ code, name: `Shelf ${code}` }));
  return startCount(stage, { store: "Linden Quay Old Mill", location: "Floor", scope: "partial", areas });
}

async function wrongInDeploy(desk: MovingDesk): Promise<string[]> {
  const { moved, expected, statuses, notes } = await desk.outcome();
  const wrong: string[] = [];
  if (JSON.stringify(moved) !== JSON.stringify(expected))
    wrong.push(`Shopify's stock was moved by ${JSON.stringify(moved)}, must be ${JSON.stringify(expected)}`);
  if (statuses.join() !== "applied") wrong.push(`the adjustments are ${statuses.join()}`);
  if (notes[0]?.includes("another server process took it up") !== true)
    wrong.push(`the history does not say that another node took it up: ${notes[0]}`);
  return wrong;
}

/** Starts the session that had failed to start, and kills a node while that ends it. */
async function killWhileEnding(desk: MovingDesk, victim: Product) {
  const sessionId = await desk.startAgain();
  const end = await desk.askEndOf(victim, sessionId);
  const killedAt = performance.now();
  await killNode(victim);
  const ended = await desk.ended(end, killedAt);
  const isSaid = ended.error?.error.includes("the session is still active, and nothing was changed") === true;
  await desk.endAgain(sessionId);
  return {
    endMs: ended.afterMs,
    wrong: isSaid ? [] : [`the end ended as ${ended.status}: ${ended.error?.error}`],
  };
}

/**
 * Two phones count while a node that deploys one session and starts another is killed; then the stocktake goes on to its end, and a second
 * node is killed while it ends the session that was started again.
 */
export async function killOneOf(stage: NodesStage): Promise<OneKilled> {
  const [victim, second] = stage.nodes;
  if (victim === undefined || second === undefined) throw new Error("There are too few nodes.");
  const desk = await MovingDesk.open(stage);
  const running = await openCount(stage);
  const phones = await joinPhones({ ...stage, running }, phoneNames);
  const [deploy, start] = await desk.askOf(victim);
  const counting = Promise.all(phones.map((phone, index) => phone.count(codesOf(index), () => false)));
  while (phones.some(({ closed }) => closed.length === 0)) await pause();
  const killedAt = performance.now();
  await killNode(victim);
  const [deployed, started] = await Promise.all([desk.ended(deploy, killedAt), desk.ended(start, killedAt)]);
  await counting;
  const wrong = await Promise.all([
    ...phones.map((phone) => phone.wrong()),
    wrongInDeploy(desk),
    wrongInReport(running, phones),
  ]);
  const unsaid = started.error?.error.includes("no session exists, and nothing was changed") !== true;
  const ended = await killWhileEnding(desk, second);
  return {
    deployMs: deployed.afterMs,
    startMs: started.afterMs,
    endMs: ended.endMs,
    scans: phones.reduce((sum, { scans }) => sum + scans, 0),
    wrong: [
      ...wrong.flat(),
      ...ended.wrong,
      ...(deployed.status === "done" ? [] : [`the deploy is ${deployed.status}`]),
      ...(unsaid ? [`the start ended as ${started.status}: ${started.error?.error}`] : []),
    ],
  };
}
