import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join as joinPath } from "node:path";
import * as contract from "@stocktake/contract";
import { afterAll, beforeAll } from "vitest";
import { allSlices } from "../../assembly/slices.ts";
import { makeTemporaryFolder } from "../../database/testing.ts";
import {
  type CountingScene,
  codes,
  countInEachTest,
  firstArea,
  scan,
  scanTimes,
} from "../../scanning/testing/scene.ts";
import { begin, join } from "../../testing/scenes.ts";
import { archiveSession } from "./archive-session.ts";

/** A session that begins before each test of the file, with a folder for its archives, which is gone after the last. */
export function archiveInEachTest() {
  const scene = countInEachTest(allSlices);
  let folder: string;
  beforeAll(async () => {
    folder = await makeTemporaryFolder();
  });
  afterAll(() => rm(folder, { recursive: true }));
  const inFolder = (name: string) => joinPath(folder, name);
  return {
    scene,
    inFolder,
    /** A file of this test's session. */
    fileNamed: (name: string) => inFolder(`${scene.session._id}-${name}`),
    archive: (file: string, session = scene.session._id) =>
      archiveSession(scene.server.database.connection, { session, file }),
    query: (text: string, values: unknown[] = []) => scene.server.database.pool.query(text, values),
  };
}

const days = 20;

/** Lets a session have ended long ago. */
export async function letAge({ server }: CountingScene, sessionId: string): Promise<void> {
  await server.database.pool.query(
    `update sessions set started_at = started_at - $2 * interval '1 day', ended_at = ended_at - $2 * interval '1 day'
     where id = $1`,
    [sessionId, days],
  );
}

export function end({ server }: CountingScene, sessionId: string) {
  return server.admin.call(contract.endSession, { body: { sessionId } });
}

/** Another session of the store: four jackets of the first area, counted now. */
export async function countAgain(scene: CountingScene): Promise<CountingScene> {
  const session = await begin(scene.server, scene.store);
  const again = {
    ...scene,
    session,
    counter: await join(scene.server, session, { email: `${randomUUID()}@example.com` }),
  };
  await scanTimes(again, 4, { deviceId: "device-2" });
  return again;
}

/** Counts three small jackets in the first area and a medium one by hand, closes it, and ends the session. */
export async function countAndEnd(scene: CountingScene, declaredTotal = 3): Promise<void> {
  const { server, session, counter } = scene;
  await scanTimes(scene, 3);
  await scan(scene, { seq: 4, input: codes.unknown.input });
  await counter.api.call(contract.undoScan, { body: { ...firstArea(scene), deviceId: "device-1", seq: 4 } });
  const total = { ...firstArea(scene), deviceId: "device-1", declaredTotal, opId: randomUUID() };
  await counter.api.call(contract.finishArea, { body: total });
  await end(scene, session._id);
  const count = { sku: "JK-1001", newCount: 1, reason: "On the till" };
  await server.admin.call(contract.adjustCount, { params: { sessionId: session._id }, body: count });
}

/** A session that can be archived, of 20 days ago, and one after it that has ended as well. */
export async function makeArchivable(
  scene: CountingScene,
  declaredTotal = 3,
): Promise<{ readonly later: CountingScene }> {
  await countAndEnd(scene, declaredTotal);
  await letAge(scene, scene.session._id);
  const later = await countAgain(scene);
  await end(later, later.session._id);
  return { later };
}
