import { expect, test } from "@playwright/test";
import { endSession, varianceReport } from "@stocktake/contract";
import { Device } from "./kill/device.ts";
import { MovingDesk } from "./nodes/moving-desk.ts";
import { killNode, openNodesStage } from "./nodes/nodes-stage.ts";
import { startCount } from "./running-count.ts";
import { findArticle } from "./stock.ts";

/*
 * A slice of `npm run proof:failover`, without a browser: three nodes on one database, of which one is killed while phones count,
 * while it deploys one session and starts another.
 */

const takenUpWithinMs = 20_000;
const codes = Array.from({ length: 16 }, (_nothing, index) => `N${String(index).padStart(3, "0")}`);

test("a stocktake passes although one of three nodes is killed while it counts, deploys and starts a session", async () => {
  const stage = await openNodesStage(3);
  const [victim] = stage.nodes;
  if (victim === undefined) throw new Error("There is no node.");
  const desk = await MovingDesk.open(stage);
  const areas = codes.map((code) => ({ code, name: `Shelf ${code}` }));
  const plan = { store: "Linden Quay Old Mill", location: "Floor", scope: "partial", areas } as const;
  const running = await startCount(stage, plan);
  const snapshot = await stage.shop.snapshot();
  const pile = [
    findArticle(snapshot, "Jetty Shorts Sand", "M"),
    findArticle(snapshot, "Estuary Dress Plum", "10"),
  ];
  const phones = [
    await Device.join({ ...stage, running }, "ann", pile),
    await Device.join({ ...stage, running }, "ben", pile),
  ];
  const asked = await desk.askOf(victim);

  const counting = Promise.all(
    phones.map((phone, index) =>
      phone.count(
        codes.filter((_code, position) => position % phones.length === index),
        () => false,
      ),
    ),
  );
  await expect.poll(() => Math.min(...phones.map(({ closed }) => closed.length))).toBeGreaterThan(0);
  const killedAt = performance.now();
  await killNode(victim);
  const scansBefore = phones.reduce((sum, { scans }) => sum + scans, 0);

  const [deploy, start] = await Promise.all(asked.map((each) => desk.ended(each, killedAt)));
  await counting;
  expect(deploy).toMatchObject({ kind: "deploy", status: "done" });
  expect(start).toMatchObject({
    ...{ kind: "start", status: "failed" },
    error: { error: expect.stringContaining("no session exists, and nothing was changed") },
  });
  for (const { afterMs } of [deploy, start].filter((end) => end !== undefined))
    expect(afterMs).toBeLessThan(takenUpWithinMs);

  const { moved, expected, notes, statuses } = await desk.outcome();
  expect(moved).toEqual(expected);
  expect(statuses).toEqual(["applied"]);
  expect(notes[0]).toContain("another server process took it up");
  await desk.startAgain();

  expect(phones.reduce((sum, { scans }) => sum + scans, 0)).toBeGreaterThan(scansBefore);
  const wrong = await Promise.all(phones.map((phone) => phone.wrong()));
  expect(wrong.flat()).toEqual([]);
  await running.admin.call(endSession, { body: { sessionId: running.sessionId } });
  const params = { sessionId: running.sessionId };
  const { items } = await running.admin.call(varianceReport, { params, query: {} });
  const counted = items.reduce((sum, { counted: units }) => sum + units, 0);
  const answered = phones.reduce((sum, { scans, undos }) => sum + scans - undos, 0);
  expect(counted).toBe(answered);
  await stage.close();
});
