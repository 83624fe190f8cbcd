import { randomUUID } from "node:crypto";
import {
  type Area,
  askSecondCount,
  type CountDifference,
  countDifferences,
  finishArea,
  listAreas,
  type SecondCount,
  secondCounts,
  settleDifference,
} from "@stocktake/contract";
import { sql } from "kysely";
import { join, type TestCounter } from "../../testing/scenes.ts";
import type { TestApi } from "../../testing/test-api.ts";
import { firstAreaId } from "./endings.ts";
import { type CountingScene, codes, scan } from "./scene.ts";

/** What lies on a shelf, in units. */
export type Shelf = Partial<Record<"jacketS" | "jacketM" | "jacketL", number>>;

/** A counter of the scene's session with an e-mail of their own. */
export function joinAs({ server, session }: CountingScene, name: string): Promise<TestCounter> {
  return join(server, session, { name, email: `${name.toLowerCase()}@example.com` });
}

/** The first area as somebody sees it. */
export async function firstAreaOf(scene: CountingScene, api: TestApi): Promise<Area> {
  const { areas } = await api.call(listAreas, {});
  const area = areas.find(({ _id }) => _id === firstAreaId(scene));
  if (area === undefined) throw new Error("The first area is not listed.");
  return area;
}

const deviceOf = ({ username }: TestCounter) => `device-of-${username}`;
const sequences = new WeakMap<TestCounter, number>();

function nextSeq(counter: TestCounter): number {
  const seq = (sequences.get(counter) ?? 0) + 1;
  sequences.set(counter, seq);
  return seq;
}

/** Scans what a counter finds in the first area, in the pass that they see. */
export async function scanShelf(scene: CountingScene, counter: TestCounter, shelf: Shelf): Promise<Area> {
  const area = await firstAreaOf(scene, counter.api);
  for (const [name, quantity] of Object.entries(shelf)) {
    const { input } = codes[name as keyof Shelf];
    const of = { input, quantity, deviceId: deviceOf(counter), seq: nextSeq(counter), pass: area.pass };
    await scan(scene, { opId: randomUUID(), ...of }, counter.api);
  }
  return area;
}

/** Counts the first area as its counter sees it, and finishes it with the right total or the one that is given. */
export async function countShelf(
  scene: CountingScene,
  counter: TestCounter,
  shelf: Shelf,
  declared = Object.values(shelf).reduce((sum, units) => sum + units, 0),
) {
  const { pass } = await scanShelf(scene, counter, shelf);
  return finishAs(scene, counter, declared, pass);
}

export function finishAs(
  { session, store }: CountingScene,
  counter: TestCounter,
  declaredTotal: number,
  pass: number,
) {
  const named = {
    sessionId: session._id,
    areaCode: store.areas[0]?.code ?? "",
    locationId: store.locationId,
  };
  return counter.api.call(finishArea, {
    body: { ...named, deviceId: deviceOf(counter), declaredTotal, pass },
  });
}

/** Asks for the first area, or for some products of it. */
export async function askAgain(
  scene: CountingScene,
  ...only: readonly (keyof Shelf)[]
): Promise<SecondCount> {
  const skus = only.length === 0 ? undefined : only.map((name) => codes[name].sku);
  const body = { areaId: firstAreaId(scene), skus };
  return (await scene.server.admin.call(askSecondCount, { body })).secondCount;
}

export async function secondCountsOf({ server, session }: CountingScene): Promise<SecondCount[]> {
  return (await server.admin.call(secondCounts, { params: { id: session._id } })).secondCounts;
}

export async function differencesOf({ server, session }: CountingScene): Promise<CountDifference[]> {
  return (await server.admin.call(countDifferences, { params: { id: session._id } })).differences;
}

/** Chooses one of the counts of a difference. */
export function choose(
  { server, session }: CountingScene,
  { area, ofPass, sku }: Pick<CountDifference, "area" | "ofPass" | "sku">,
  choice: "first" | "second" | "third",
) {
  const body = { areaId: area._id, ofPass, sku, choice, reason: "I counted the shelf myself" };
  return server.admin.send(settleDifference, { params: { id: session._id }, body });
}

/** The scans of the session by what became of them, in units. */
export async function unitsByStatus({ server, session }: CountingScene): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; units: number }>`
    select status || coalesce(' ' || reason, '') as status, sum(quantity)::integer as units from scans
    where session_id = ${session._id} group by 1 order by 1`.execute(server.database.database);
  return Object.fromEntries(rows.map(({ status, units }) => [status, units]));
}

/** The first area counted by several people, one after the other: what the second and the third find is compared with the first. */
export async function countInTurn(scene: CountingScene, shelves: readonly Shelf[]): Promise<void> {
  for (const [index, shelf] of shelves.entries()) {
    if (index === 1) await askAgain(scene);
    const name = ["Ada", "Ben", "Cleo"][index] ?? "";
    await countShelf(scene, await joinAs(scene, name), shelf);
  }
}
