import { expect } from "vitest";
import type { HistoryRun } from "./history-run.ts";
import { OracleDevice } from "./oracle-device.ts";
import { phonesWithKey, type StepOf } from "./random-steps.ts";

/*
 * What devices say of their queues, and what is said of devices. Each step resolves to whether there was anything to do.
 */

/** The device in the oracle's record; one that is new since the end is not recorded by a word alone. */
function known({ oracle }: HistoryRun, name: string): OracleDevice | undefined {
  const device = oracle.devices.get(name);
  if (device !== undefined || oracle.ended) return device;
  const begun = new OracleDevice();
  oracle.devices.set(name, begun);
  return begun;
}

/** After the end nothing is noted of a device that opens an area but what it tells. */
export async function openArea(run: HistoryRun, step: Omit<StepOf<"open_area">, "act">): Promise<boolean> {
  const { device: name, app, holds } = step;
  const isTold = app === "telling";
  await run.scene.openArea(name, { isOld: app === "old", ...(isTold ? { holds } : {}) });
  const device = known(run, name);
  if (!run.oracle.ended) device?.open(app, holds);
  else if (isTold) device?.tell(holds);
  return true;
}

export async function tell(run: HistoryRun, name: string, pending: number): Promise<boolean> {
  await run.scene.tell(name, pending);
  known(run, name)?.tell(pending);
  return true;
}

/** Cleo tells of a phone that is not hers and has shown its key by now: nothing that she says changes what the server has of it. */
export async function tellAsStranger(
  run: HistoryRun,
  { pick, pending, shows, opens }: Omit<StepOf<"tell_as_stranger">, "act">,
): Promise<boolean> {
  const { scene, oracle } = run;
  const heard = phonesWithKey.filter((phone) => oracle.devices.get(phone)?.hasBeenHeard === true);
  const name = heard[pick % Math.max(1, heard.length)];
  if (name === undefined) return false;
  const deviceKey = shows === "another_key" ? "a".repeat(43) : undefined;
  if (opens) await scene.openArea(name, { by: scene.cleo, holds: pending, shows: { deviceKey } });
  else await scene.tell(name, pending, scene.cleo, { deviceKey });
  run.meet("words of strangers");
  return true;
}

/** Accounts for the devices at once: refused as a whole where one of them holds rows. */
export async function account(run: HistoryRun, names: readonly string[], stated: boolean): Promise<boolean> {
  const { oracle, scene } = run;
  const devices = names.flatMap((name) => oracle.devices.get(name) ?? []);
  if (devices.length === 0) return false;
  const isRefused = stated && devices.some(({ holdsRows }) => holdsRows);
  const { status, body } = await scene.account(
    names.filter((name) => oracle.devices.has(name)),
    stated,
  );
  expect(status).toBe(isRefused ? 409 : 200);
  if (isRefused) return true;
  const changed = devices.filter(({ isUnknown, isSaid }) => (stated ? isUnknown : isSaid));
  expect(body).toEqual({ changed: changed.length });
  if (stated && changed.length > 0) run.meet("devices accounted for");
  for (const device of changed) {
    if (stated) device.account();
    else device.takeBack();
  }
  return true;
}

/** Has every device that holds rows say that it has sent them. */
export async function emptyAll(run: HistoryRun): Promise<boolean> {
  const holding = [...run.oracle.devices].filter(([, { holdsRows }]) => holdsRows);
  for (const [name] of holding) await tell(run, name, 0);
  return holding.length > 0;
}

export async function accountForAll(run: HistoryRun): Promise<boolean> {
  const unknown = [...run.oracle.devices].filter(([, { isUnknown }]) => isUnknown);
  return account(
    run,
    unknown.map(([name]) => name),
    true,
  );
}
