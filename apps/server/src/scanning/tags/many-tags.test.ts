import { randomUUID } from "node:crypto";
import { type CallInput, postScanBatch, undoScan } from "@stocktake/contract";
import { epcOf } from "@stocktake/testkit/epc";
import { expect, test } from "vitest";
import type { TestApi } from "../../testing/test-api.ts";
import { codes, countInEachTest, countsOf, firstArea, scanBody } from "../testing/scene.ts";
import { twoNodes } from "../testing/two-nodes.ts";

const scene = countInEachTest();
const nodeOf = twoNodes(scene);

const products = [codes.jacketS, codes.jacketM] as const;
const tagOf = (tag: number) => epcOf(products[tag % 2 === 0 ? 0 : 1].input, tag);

/** The tag of each of a reader's reads, in an order that two readers don't share. Every tag is among them. */
function readsOf(reader: number, reads: number, tags: number): number[] {
  const step = reader === 0 ? 7 : 4_001;
  return Array.from({ length: reads }, (_each, index) => (index * step + reader * 1_234) % tags);
}

/** As a device does it, which waits where it is told that it sends too fast. */
async function sendBatch(api: TestApi, body: CallInput<typeof postScanBatch>["body"]) {
  for (;;) {
    const sent = await api.send(postScanBatch, { body });
    if (sent.status !== 429) return postScanBatch.answer.parse(sent.body);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function sendReads(reader: number, tags: readonly number[], areaCode: string): Promise<void> {
  const payloads = tags.map((tag, index) =>
    scanBody(scene, {
      input: tagOf(tag),
      deviceId: `reader-${reader}`,
      seq: index + 1,
      opId: randomUUID(),
      areaCode,
    }),
  );
  for (let start = 0; start < payloads.length; start += 500) {
    const body = { scans: payloads.slice(start, start + 500) };
    const { results } = await sendBatch(nodeOf(reader), body);
    expect(results.map(({ httpStatus }) => httpStatus)).toEqual(body.scans.map(() => 201));
  }
}

async function outcomes() {
  const { rows } = await scene.server.database.pool.query<{
    status: string;
    reason: string | null;
    scans: number;
  }>(
    `select status, reason, count(*)::integer as scans, count(distinct tag)::integer as tags from scans
    where session_id = $1 group by status, reason order by status, reason`,
    [scene.session._id],
  );
  return rows;
}

test("S41: 20,000 reads of 4,000 tags by two readers at once, through two nodes, count 4,000 items", async () => {
  const { areaCode } = firstArea(scene);
  await Promise.all([0, 1].map((reader) => sendReads(reader, readsOf(reader, 10_000, 4_000), areaCode)));
  expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 2_000, [codes.jacketM.sku]: 2_000 });
  expect(await outcomes()).toEqual([
    { status: "counted", reason: null, scans: 4_000, tags: 4_000 },
    { status: "voided", reason: "TAG_COUNTED", scans: 16_000, tags: 4_000 },
  ]);
}, 180_000);

test("S42: two readers in two areas at once: each item counts in one, and is an exception in the other", async () => {
  const codesOfAreas = scene.store.areas.map(({ code }) => code);
  await Promise.all(
    [0, 1].map((reader) => sendReads(reader, readsOf(reader, 1_500, 1_000), codesOfAreas[reader] ?? "")),
  );
  expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 500, [codes.jacketM.sku]: 500 });
  expect(await outcomes()).toEqual([
    { status: "counted", reason: null, scans: 1_000, tags: 1_000 },
    { status: "unresolved", reason: "TAG_ELSEWHERE", scans: 1_000, tags: 1_000 },
    { status: "voided", reason: "TAG_COUNTED", scans: 1_000, tags: expect.any(Number) },
  ]);
});

test("S43: reads and undos of the same tags at once, through two nodes, leave one count for each that still stands", async () => {
  const { areaCode } = firstArea(scene);
  const tags = Array.from({ length: 40 }, (_each, tag) => tag);
  await sendReads(0, tags, areaCode);
  const undoing = tags.map(async (tag) => {
    const body = { ...firstArea(scene), deviceId: "reader-0", seq: tag + 1 };
    const { status } = await nodeOf(tag).send(undoScan, { body });
    expect(status).toBe(200);
  });
  await Promise.all([...undoing, sendReads(1, tags.slice(0, 30), areaCode)]);
  expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 15, [codes.jacketM.sku]: 15 });
});
