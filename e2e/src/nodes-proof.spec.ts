import { expect, test } from "@playwright/test";
import { openNodesStage } from "./nodes/nodes-stage.ts";
import { killOneOf } from "./nodes/one-killed.ts";

/*
 * A slice of `npm run proof:failover`, without a browser: three nodes on one database, of which one is killed while phones count,
 * while it deploys one session and starts another, and then another one while it ends that. How soon others take up the work is
 * judged by the command alone: here a busy machine would be measured too.
 */

test("a stocktake passes although two of three nodes are killed: in a deploy and the start of a session, and in its end", async () => {
  const stage = await openNodesStage(3);
  try {
    const { wrong, scans } = await killOneOf(stage);
    expect(wrong).toEqual([]);
    expect(scans).toBeGreaterThan(0);
  } finally {
    await stage.close();
  }
});
