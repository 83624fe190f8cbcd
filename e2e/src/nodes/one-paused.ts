import { MovingDesk } from "./moving-desk.ts";
import type { NodesStage } from "./nodes-stage.ts";

/** What came of a node that was paused while it deployed, and of its deploy. */
export interface OnePaused {
  /** How long after the pause began the deploy had ended elsewhere. */
  readonly deployMs: number;
  readonly wrong: readonly string[];
}

const pausedForMs = 30_000;
/** By then the node that was woken has done whatever it would. */
const wokenForMs = 5_000;

const lasting = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A node is stopped in the middle of a deploy, which another ends, and goes on 30 s later as if nothing had been. */
export async function pauseOneOf(stage: NodesStage): Promise<OnePaused> {
  const [victim, other] = stage.nodes;
  if (victim === undefined || other === undefined) throw new Error("There are no two nodes.");
  const desk = await MovingDesk.open({ ...stage, product: other });
  const [deploy] = await desk.askOf(victim);
  const pausedAt = performance.now();
  victim.process.kill("SIGSTOP");
  const { afterMs, status } = await desk.ended(deploy, pausedAt);
  await lasting(pausedForMs - afterMs);
  victim.process.kill("SIGCONT");
  // Now the answer comes that it was waiting for.
  await stage.shop.releaseHanging({});
  await lasting(wokenForMs);
  const { moved, expected, statuses } = await desk.outcome();
  return {
    deployMs: afterMs,
    wrong: [
      ...(status === "done" ? [] : [`the deploy is ${status}`]),
      ...(statuses.join() === "applied" ? [] : [`the adjustments are ${statuses.join()}`]),
      ...(JSON.stringify(moved) === JSON.stringify(expected)
        ? []
        : [`Shopify's stock was moved by ${JSON.stringify(moved)}, must be ${JSON.stringify(expected)}`]),
      ...(victim.process.exitCode === null ? [] : ["the node that was paused has ended"]),
    ],
  };
}
