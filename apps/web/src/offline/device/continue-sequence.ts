import { callAddress, deviceKeyHeader, deviceMaxSequence } from "@stocktake/contract";
import type { StocktakeDatabase } from "../database/database.ts";
import { raiseSequence } from "../outbox/append.ts";
import type { OutboxBus } from "../outbox/events.ts";
import {
  claimOpeningReport,
  countHeld,
  endReport,
  type Holder,
  type QueueReport,
} from "../outbox/queue-reports.ts";
import type { OutboxReader } from "../outbox/read.ts";
import type { Clock, Send } from "../ports.ts";
import { interpret } from "../sync/reply.ts";

interface OpeningPorts {
  readonly database: StocktakeDatabase;
  readonly send: Send;
  readonly clock: Clock;
  readonly bus: OutboxBus;
  readonly reader: OutboxReader;
}

/**
 * Says that an area is opened on this device and what it holds of the session (docs/SYNC.md, S3 and S10), and continues from the server's last
 * number for it. Resolves to whether the server has heard that.
 */
export async function continueFromServer(ports: OpeningPorts, holder: Holder): Promise<boolean> {
  const { database, clock } = ports;
  // Storage that can't be written now refuses the first scan, with a word about it; the area is opened all the same.
  const report = await claimOpeningReport(ports, holder, () => countRows(ports.reader, holder)).catch(
    () => null,
  );
  const reply = interpret(
    await ports.send({ method: "GET", path: openingPath(holder, report), headers: openingHeaders(report) }),
    deviceMaxSequence.answer,
  );
  if (reply.kind !== "done") return false;
  const { maxSeq, reportHeard: isHeard = false } = reply.answer;
  // A server of an earlier release gives its number without listening to the report, which stays owed then.
  if (report !== null && isHeard) await endReport(database, holder, report, clock.now());
  await raiseSequence(database, maxSeq, new Date(clock.now()).toISOString());
  return isHeard;
}

async function countRows(reader: OutboxReader, holder: Holder): Promise<number> {
  return countHeld(await reader.unsettled(), holder);
}

function openingPath({ sessionId, deviceId }: Holder, report: QueueReport | null): string {
  const told =
    report === null ? {} : { pending: String(report.pending), pendingOrder: String(report.pendingOrder) };
  return callAddress(deviceMaxSequence, {}, { sessionId, deviceId, tellsQueue: "true", ...told });
}

/** The key is in no address: those are written into logs on the way. */
function openingHeaders(report: QueueReport | null): Readonly<Record<string, string>> {
  return report?.deviceKey === undefined ? {} : { [deviceKeyHeader]: report.deviceKey };
}
