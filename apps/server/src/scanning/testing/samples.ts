import {
  type ControlSample,
  controlSamples,
  drawSample,
  finishArea,
  listAreas,
  postScan,
  voidSample,
} from "@stocktake/contract";
import { join, type TestCounter } from "../../testing/scenes.ts";
import { type CountingScene, codes, scanBody } from "./scene.ts";

const sequences = new WeakMap<TestCounter, number>();

/** An area counted by whoever may, with so many small jackets and codes without a product, in the pass that they see. */
export async function countArea(
  { session, store, ...scene }: CountingScene,
  counter: TestCounter,
  code: string,
  units: number,
  unnamed: readonly string[] = [],
): Promise<void> {
  const { areas } = await counter.api.call(listAreas, {});
  const area = areas.find((each) => each.code === code && each.locationId === store.locationId);
  const inArea = { areaCode: code, pass: area?.pass ?? 0, deviceId: `device-of-${counter.username}` };
  const jackets = units > 0 ? [{ input: codes.jacketS.input, quantity: units }] : [];
  for (const read of [...jackets, ...unnamed.map((input) => ({ input }))]) {
    const seq = (sequences.get(counter) ?? 0) + 1;
    sequences.set(counter, seq);
    const found = { ...read, seq };
    await counter.api.call(postScan, {
      body: scanBody({ session, store, ...scene }, { ...inArea, ...found }),
    });
  }
  const body = { ...inArea, sessionId: session._id, locationId: store.locationId, declaredTotal: units };
  await counter.api.call(finishArea, { body });
}

/** A counter with an e-mail of their own. */
export function joinAlone({ server, session }: CountingScene, name: string): Promise<TestCounter> {
  return join(server, session, { name, email: `${name.toLowerCase()}@example.com` });
}

export async function drawOf({ server, session }: CountingScene, areas: number, reason?: string) {
  const body = reason === undefined ? { areas } : { areas, reason };
  return (await server.admin.call(drawSample, { params: { id: session._id }, body })).sample;
}

export function drawAnyway({ server, session }: CountingScene, areas: number, reason?: string) {
  const body = reason === undefined ? { areas } : { areas, reason };
  return server.admin.send(drawSample, { params: { id: session._id }, body });
}

export function voidOf(
  { server, session }: CountingScene,
  number: number,
  reason = "Nobody is left to count",
) {
  return server.admin.send(voidSample, { params: { id: session._id }, body: { number, reason } });
}

export function samplesOf({ server, session }: CountingScene) {
  return server.admin.call(controlSamples, { params: { id: session._id } });
}

/** The newest sample, as it is now. */
export async function sampleOf(scene: CountingScene): Promise<ControlSample> {
  const sample = (await samplesOf(scene)).samples.at(-1);
  if (sample === undefined) throw new Error("Nothing was drawn.");
  return sample;
}
