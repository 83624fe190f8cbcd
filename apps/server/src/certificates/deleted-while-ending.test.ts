import * as contract from "@stocktake/contract";
import { expect, test } from "vitest";
import { countWaiting } from "../testing/waiting-transactions.ts";
import { CoverageScene } from "./testing/coverage-scene.ts";

const scene = new CoverageScene({ follows: false });
const admin = () => scene.server.admin;

/** Ends the session while something that was asked for in the meantime waits for the store, and goes on once it has ended. */
async function endBefore(act: () => Promise<unknown>): Promise<void> {
  const { database, pool } = scene.server.database;
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query("select from areas where id = $1 for update", [scene.areaId("A1")]);
    const ending = scene.end();
    await expect.poll(() => countWaiting(database)).toBe(1);
    const acting = act();
    await expect.poll(() => countWaiting(database)).toBe(2);
    await client.query("commit");
    await ending;
    await acting;
  } finally {
    client.release(true);
  }
}

test.each([
  ["deleted", () => admin().call(contract.deleteArea, { params: { id: scene.areaId("A3") } })],
  [
    "deleted with its location",
    () => admin().call(contract.deleteLocation, { params: { id: scene.store.locationId } }),
  ],
  [
    "merged",
    () =>
      admin().call(contract.mergeAreas, {
        body: { areaId: scene.areaId("A3"), intoAreaId: scene.areaId("A2") },
      }),
  ],
])(
  "an area that is %s by somebody who asked before the session had ended was part of it, and is open",
  async (_, act) => {
    await endBefore(act);
    const { open } = await scene.read();
    expect(open.find(({ kind }) => kind === "areas")?.names).toEqual(["A1", "A2", "A3"]);
  },
);
