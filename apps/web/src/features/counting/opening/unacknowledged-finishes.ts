import type { Area } from "@stocktake/contract";
import {
  type CountingDevice,
  isUnsettled,
  type PendingOperation,
  readSetting,
  type StocktakeDatabase,
  settings,
  writeSetting,
} from "../../../offline/offline.ts";

/** What a device finishes while it is offline is far less. */
const most = 200;

async function change(
  { database, clock }: Pick<CountingDevice, "database" | "clock">,
  changed: (ids: readonly number[]) => readonly number[],
): Promise<void> {
  const ids = (await readSetting(database, settings.unacknowledgedFinishes)) ?? [];
  const now = new Date(clock.now()).toISOString();
  await writeSetting(database, settings.unacknowledgedFinishes, changed(ids).slice(-most), now);
}

/** Its area is left before what came of it is known: the dashboard tells it. */
export function tellLater(device: CountingDevice, { id }: PendingOperation): Promise<void> {
  return change(device, (ids) => [...ids, id]);
}

export function acknowledge(device: CountingDevice, told: readonly number[]): Promise<void> {
  return change(device, (ids) => ids.filter((id) => !told.includes(id)));
}

/** The finishes that {@link tellLater} was called with, as they are now. */
export async function readUnacknowledged(database: StocktakeDatabase): Promise<readonly PendingOperation[]> {
  const ids = (await readSetting(database, settings.unacknowledgedFinishes)) ?? [];
  if (ids.length === 0) return [];
  const operations = await database.getAll("pendingSubmissions");
  return operations.flatMap((operation) => {
    const { id } = operation;
    return id !== undefined && ids.includes(id) ? [{ ...operation, id }] : [];
  });
}

/**
 * What came of a finish: its area is complete; or it is still open; or there is nothing to tell, as the area is counted again since, or
 * a notice of its own says what is to be done.
 */
export function outcomeOf(finish: PendingOperation, areas: readonly Area[]): "open" | "complete" | "nothing" {
  const { answer, refusal, pass, areaId } = finish;
  if (isUnsettled(finish)) return "open";
  if (refusal !== null || answer?.kind !== "finish") return "nothing";
  const area = areas.find(({ _id }) => _id === areaId);
  if (area !== undefined && area.pass > pass) return "nothing";
  if (answer.waitingFor === undefined) return answer.matched ? "complete" : "nothing";
  return area?.pass === pass && area.status === "closed" ? "complete" : "open";
}
