import { areaScans, assignAreas, listAreas, resetArea, whoAmI } from "@stocktake/contract";
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import type { TestCounter } from "../../testing/scenes.ts";
import type { TestApi } from "../../testing/test-api.ts";
import { finishFirstArea, firstAreaId, resetFirstArea } from "../testing/endings.ts";
import { areaRow, countInEachTest, firstArea, scan } from "../testing/scene.ts";
import { joinAs } from "../testing/second-counts.ts";

const scene = countInEachTest();
let ada: TestCounter;
let ben: TestCounter;

async function assignTo({ invitationId }: TestCounter): Promise<void> {
  const people = [{ personId: invitationId ?? "", areaIds: [firstAreaId(scene)] }];
  const params = { id: scene.session._id };
  await scene.server.admin.call(assignAreas, { params, body: { people, enforced: true } });
}

/** The first area is Ada's alone. */
beforeEach(async () => {
  [ada, ben] = [await joinAs(scene, "Ada"), await joinAs(scene, "Ben")];
  await assignTo(ada);
  await scan(scene, { seq: 1 }, ada.api);
});

const senders: readonly (readonly [string, () => TestApi])[] = [
  ["the administrator", () => scene.server.admin],
  ["whom it is assigned to", () => ada.api],
];

async function refusal(sender: TestApi, madeById: string) {
  return (await sender.refusal(resetArea, { body: { ...firstArea(scene), madeById } })).code;
}

async function total(): Promise<number | undefined> {
  const { sessionId, areaCode, locationId } = firstArea(scene);
  const place = { params: { sessionId, areaCode }, query: { locationId } };
  return (await ada.api.call(areaScans, place)).total;
}

test.each(senders)(
  "what others made in an assigned area is refused, though %s signs in on their phone and sends it",
  async (_who, sender) => {
    const { pass } = await areaRow(scene);
    const of = { madeById: ben.userId, pass };
    expect(await refusal(sender(), ben.userId)).toBe("AREA_ASSIGNED");
    const finish = finishFirstArea(scene, 9, { ...of, deviceId: "device-of-Ben" }, sender());
    await expect(finish).rejects.toThrow("AREA_ASSIGNED");
    expect(await total()).toBe(1);
  },
);

test("what whoever it is assigned to made is done, though somebody else signs in on their phone and sends it", async () => {
  const of = { madeById: ada.userId };
  const { area, deletedScans } = await resetFirstArea(scene, of, ben.api);
  expect(deletedScans).toBe(1);
  await scan(scene, { seq: 2, pass: area.pass, scannedById: ada.userId }, ben.api);
  const finished = await finishFirstArea(scene, 1, { ...of, pass: area.pass }, ben.api);
  expect(finished).toMatchObject({ matched: true });
  const { areas } = await scene.server.admin.call(listAreas, {});
  const closed = areas.find(({ _id }) => _id === firstAreaId(scene));
  expect(closed).toMatchObject({ closedBy: { username: "Ada" } });
});

test("what somebody made whom it was assigned to is done, though their invitation was revoked before it is sent", async () => {
  await sql`update invitations set revoked_at = now() where id = ${ada.invitationId}`.execute(
    scene.server.database.database,
  );
  const again = await joinAs(scene, "Ada");
  await assignTo(again);
  const of = { madeById: ada.userId };
  expect((await resetFirstArea(scene, of, again.api)).deletedScans).toBe(1);
  expect((await resetFirstArea(scene, of, scene.server.admin)).deletedScans).toBe(0);
});

test("the administrator starts any area again, and nobody else does by naming the administrator", async () => {
  const { user } = await scene.server.admin.call(whoAmI, {});
  const named = { madeById: user._id };
  expect(await refusal(ben.api, user._id)).toBe("AREA_ASSIGNED");
  expect((await resetFirstArea(scene, named, ada.api)).deletedScans).toBe(1);
  for (const [seq, of] of [[2, {}] as const, [3, named] as const]) {
    await scan(scene, { seq }, ada.api);
    expect((await resetFirstArea(scene, of, scene.server.admin)).deletedScans).toBe(1);
  }
});

test("a device of an earlier release names nobody, and is judged by who sends for it", async () => {
  expect((await resetFirstArea(scene, {}, ada.api)).deletedScans).toBe(1);
  await expect(resetFirstArea(scene, {}, ben.api)).rejects.toThrow("AREA_ASSIGNED");
});
