import { reportQueue } from "@stocktake/contract";
import { endReport, type Holder, openReport } from "../outbox/queue-reports.ts";
import { type Failure, interpret } from "./reply.ts";
import type { SendingPorts } from "./send-scans.ts";
import { resolveNotFound } from "./session-access.ts";

/**
 * A queue is empty, or what remains of it was refused by a restored server, and the server may think otherwise, as the last rows were refused
 * or did not have to be sent: it is told. Returns why sending must stop, or null.
 */
export async function reportEmptied(
  ports: SendingPorts,
  { sessionId, deviceId, pending }: Holder & { readonly pending: number },
): Promise<Failure | null> {
  const { database, clock } = ports;
  const report = await openReport(ports, { sessionId, deviceId, pending });
  if (report === null) return null;
  const body = { sessionId, deviceId, ...report };
  const reply = interpret(
    await ports.send({ method: "POST", path: reportQueue.path, body }),
    reportQueue.answer,
  );
  switch (reply.kind) {
    case "done":
      await endReport(database, { sessionId, deviceId }, report, clock.now());
      return null;
    case "failed":
      return reply;
    case "not_found":
      // Of a session that this login has no access to, which waits; or a server of an earlier release has no such call, and it is owed on.
      return (await resolveNotFound(ports.sessionAccess, sessionId, reply.refusal)).failure;
    case "conflict":
    case "refused":
      return null;
  }
}
