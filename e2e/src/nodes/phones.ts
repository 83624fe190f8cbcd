import { endSession, varianceReport } from "@stocktake/contract";
import { type CountingStage, Device } from "../kill/device.ts";
import type { RunningCount } from "../running-count.ts";
import { findArticle } from "../stock.ts";

/** Phones of these names in the running count, which all scan the same two articles. */
export async function joinPhones(
  stage: CountingStage,
  names: readonly string[],
  batch?: number,
): Promise<Device[]> {
  const snapshot = await stage.shop.snapshot();
  const pile = [
    findArticle(snapshot, "Jetty Shorts Sand", "M"),
    findArticle(snapshot, "Estuary Dress Plum", "10"),
  ];
  const phones: Device[] = [];
  for (const name of names) phones.push(await Device.join(stage, name, pile, batch));
  return phones;
}

/** Ends the session; what its report has that was not answered, or the other way round. */
export async function wrongInReport(
  { admin, sessionId }: Pick<RunningCount, "admin" | "sessionId">,
  phones: readonly Device[],
): Promise<string[]> {
  await admin.call(endSession, { body: { sessionId } });
  const { items } = await admin.call(varianceReport, { params: { sessionId }, query: {} });
  const counted = items.reduce((sum, item) => sum + item.counted, 0);
  const answered = phones.reduce((sum, { scans, undos }) => sum + scans - undos, 0);
  return counted === answered ? [] : [`answered were ${answered} scans, the report has ${counted}`];
}
