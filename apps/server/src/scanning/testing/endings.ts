import {
  type AreaPass,
  finishArea,
  reopenArea,
  resetArea,
  restorePass,
  sessionPasses,
} from "@stocktake/contract";
import type { TestApi } from "../../testing/test-api.ts";
import { type CountingScene, firstArea } from "./scene.ts";

/** What a test changes of an ending as a device sends it. */
export interface EndingChanges {
  readonly areaCode?: string;
  readonly deviceId?: string;
  readonly pass?: number;
  readonly opId?: string;
  readonly knownAccepted?: number;
  readonly madeById?: string;
  readonly own?: boolean;
  readonly declaredById?: string;
  readonly declaredAt?: string;
  readonly timeUnknown?: boolean;
}

/** The id of the store's first area. */
export function firstAreaId({ store }: CountingScene): string {
  return store.areas[0]?.id ?? "";
}

/** A finish of the first area with a declared total. */
export function finishBody(scene: CountingScene, declaredTotal: number, changes: EndingChanges = {}) {
  return { ...firstArea(scene), deviceId: "device-1", declaredTotal, ...changes };
}

export function finishFirstArea(
  scene: CountingScene,
  declaredTotal: number,
  changes: EndingChanges = {},
  api: TestApi = scene.counter.api,
) {
  return api.call(finishArea, { body: finishBody(scene, declaredTotal, changes) });
}

/** The status and code of a refused finish of the first area. */
export async function finishRefusal(
  scene: CountingScene,
  declaredTotal: number,
  changes: EndingChanges = {},
) {
  const body = finishBody(scene, declaredTotal, changes);
  const { status, code } = await scene.counter.api.refusal(finishArea, { body });
  return [status, code];
}

export function resetFirstArea(
  scene: CountingScene,
  changes: EndingChanges = {},
  api: TestApi = scene.counter.api,
) {
  return api.call(resetArea, { body: { ...firstArea(scene), ...changes } });
}

export function reopenFirstArea(scene: CountingScene) {
  return scene.server.admin.call(reopenArea, { body: { areaId: firstAreaId(scene), eraseScans: true } });
}

/** Restores a pass of the first area; returns the area. */
export async function restoreFirstArea(scene: CountingScene, pass: number) {
  const body = { areaId: firstAreaId(scene), pass };
  return (await scene.server.admin.call(restorePass, { body })).area;
}

/** The passes of the first area, oldest first. */
export async function passesOfFirstArea(scene: CountingScene): Promise<AreaPass[]> {
  const { passes } = await scene.server.admin.call(sessionPasses, { params: { id: scene.session._id } });
  return passes.filter(({ areaId }) => areaId === firstAreaId(scene));
}
