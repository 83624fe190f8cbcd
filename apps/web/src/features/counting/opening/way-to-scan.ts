import type { QueryClient } from "@tanstack/react-query";
import type { CountingDevice } from "../../../offline/offline.ts";
import { counterSessionsQuery } from "../lists/counter-queries.ts";
import { readActiveArea } from "./last-area.ts";

/** Where "Scan" leads: into the area that is being counted where its session still runs, or else to the choice of one. */
export async function wayToScan(
  device: CountingDevice,
  client: QueryClient,
  userId: string,
): Promise<{ readonly to: string; readonly state: unknown }> {
  const area = await readActiveArea(device.database, userId);
  const sessions = client.getQueryData(counterSessionsQuery(device, userId).queryKey)?.value;
  const isOver = sessions?.every(({ _id, status }) => _id !== area?.sessionId || status !== "active");
  if (area === null || isOver === true) return { to: "/counter", state: { choose: true } };
  return { to: "/counter/scan", state: area };
}
