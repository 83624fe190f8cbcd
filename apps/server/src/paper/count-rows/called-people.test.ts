import { type CountRow, checkCountRows, storeCountRows } from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { codes, countInEachTest, countingSlices } from "../../scanning/testing/scene.ts";
import { join, type TestCounter } from "../../testing/scenes.ts";
import { paperRoutes } from "../routes.ts";

const scene = countInEachTest([...countingSlices, paperRoutes]);

const rowOf = (who: string): CountRow => ({
  ...{ row: 2, area: "A1", code: codes.jacketS.input, quantity: "1", who },
});
const given = (who: string) => ({
  params: { id: scene.session._id },
  body: { file: "counts.csv", rows: [rowOf(who)] },
});

/** Who counted, by a file that names them so; or why nobody did. */
async function countedBy(who: string): Promise<string> {
  const { bad } = await scene.server.admin.call(checkCountRows, given(who));
  if (bad[0] !== undefined) return bad[0].problem;
  await scene.server.admin.call(storeCountRows, given(who));
  const { database } = scene.server.database;
  const { scannedBy } = await database
    .selectFrom("scans")
    .select("scannedBy")
    .where("sessionId", "=", scene.session._id)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  return scannedBy;
}

const zoe = { name: "Zoe", email: "zoe@example.com" };
const joined = (person = zoe) => join(scene.server, scene.session, person);
const revoke = ({ invitationId }: TestCounter) =>
  scene.server.database.pool.query("update invitations set revoked_at = now() where id = $1", [invitationId]);

describe("somebody who was revoked and invited again", () => {
  test.each(["Zoe", "zoe@example.com"])("is who counts now, called %s", async (who) => {
    await revoke(await joined());
    await revoke(await joined());
    const again = await joined({ ...zoe, email: "Zoe@Example.com" });
    expect(await countedBy(who)).toBe(again.userId);
  });

  test.each(["Zoe", "zoe@example.com"])("is who came last, called %s, where nobody is left", async (who) => {
    await revoke(await joined());
    const last = await joined();
    await revoke(last);
    expect(await countedBy(who)).toBe(last.userId);
  });
});

const shared = "shop@example.com";

test("people who share an address are told apart by their names", async () => {
  const kim = await joined({ name: "Kim", email: shared });
  await revoke(kim);
  const kimAgain = await joined({ name: "Kim", email: shared });
  const lea = await joined({ name: "Lea", email: shared });
  expect(await countedBy(shared)).toBe(
    "Several people in this session are called shop@example.com. Write the name instead.",
  );
  expect([await countedBy("Kim"), await countedBy("lea")]).toEqual([kimAgain.userId, lea.userId]);
});

test("somebody else's invitation that was revoked makes an address no less theirs", async () => {
  const lea = await joined({ name: "Lea", email: shared });
  await revoke(lea);
  const kim = await joined({ name: "Kim", email: shared });
  expect(await countedBy(shared)).toBe(
    "Several people in this session are called shop@example.com. Write the name instead.",
  );
  expect([await countedBy("Kim"), await countedBy("Lea")]).toEqual([kim.userId, lea.userId]);
});
