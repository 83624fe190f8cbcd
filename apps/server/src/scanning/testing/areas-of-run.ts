import { randomUUID } from "node:crypto";
import { makeAreas, type TestArea } from "../../testing/scenes.ts";
import type { CountingScene } from "./scene.ts";

/** Two areas of the running session for one random run alone, as all runs are of one session. */
export async function areasOfRun({ server, store, session }: CountingScene): Promise<TestArea[]> {
  const name = randomUUID().slice(0, 8);
  const { id: storeId, locationId } = store;
  const areas = await makeAreas(server, { storeId, locationId, codes: [`${name}-1`, `${name}-2`] });
  await server.database.database
    .insertInto("areaPasses")
    .values(areas.map(({ id }) => ({ sessionId: session._id, areaId: id, pass: 1 })))
    .execute();
  return areas;
}
