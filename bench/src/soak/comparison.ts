import { sessionProgress, varianceReport } from "@stocktake/contract";
import { endAndWait } from "../rehearsal/store-floor.ts";
import type { Soak } from "./work.ts";

/**
 * Ends the session and compares: of each area, and in the report of it all, must be what was answered and neither undone nor erased
 * since. The answer is a sentence for each that differs.
 */
export async function compareWithReport(
  { admin, floor }: Soak,
  answered: ReadonlyMap<string, number>,
): Promise<string[]> {
  const { sessionId } = floor;
  const { areas, devices } = await admin.call(sessionProgress, { params: { id: sessionId } });
  const wrong = Array.from(answered, ([code, units]) => {
    const there = areas.find((area) => area.code === code)?.scans;
    return there === units ? [] : [`of ${units} answered scans in ${code} there are ${there}`];
  }).flat();
  for (const { deviceId, pending } of devices)
    if ((pending ?? 0) > 0) wrong.push(`${deviceId} is said to hold ${pending} rows, it has sent them all`);
  await endAndWait(admin, sessionId);
  const { items } = await admin.call(varianceReport, { params: { sessionId }, query: { view: "all" } });
  const counted = items.reduce((sum, item) => sum + item.counted, 0);
  const expected = [...answered.values()].reduce((sum, units) => sum + units, 0);
  process.stdout.write(`in the end ${expected} answered scans counted, the report has ${counted}\n`);
  return counted === expected ? wrong : [...wrong, `the report has ${counted} scans of ${expected}`];
}
