import { health } from "@stocktake/contract";
import type { StocktakeDatabase } from "../database/database.ts";
import { readSetting, settings } from "../database/settings.ts";
import type { OutboxBus } from "../outbox/events.ts";
import { adoptEpoch } from "../outbox/server-epoch.ts";
import type { Clock, OutgoingCall, RawResponse, Send } from "../ports.ts";

interface EpochPorts {
  readonly database: StocktakeDatabase;
  readonly clock: Clock;
  readonly bus: OutboxBus;
}

// Far shorter than any restore takes, and longer than the pause between two scans.
const silenceMs = 5_000;

// The row in hand is not the next one any more: the engine stops as for a busy server, and begins again.
const startOver: RawResponse = { kind: "answer", status: 503, body: null, retryAfterMs: null, epoch: null };

/** True where rows were put back in the queue. */
async function follow({ database, clock, bus }: EpochPorts, response: RawResponse): Promise<boolean> {
  if (response.kind === "no_answer" || response.epoch === null) return false;
  if ((await readSetting(database, settings.serverEpoch)) === response.epoch) return false;
  const rows = await adoptEpoch(database, response.epoch, new Date(clock.now()).toISOString());
  if (rows === null || rows === 0) return false;
  bus.publish({ type: "server_restored" });
  return true;
}

/**
 * Notices a restored server by the epoch of its responses, before anything else is done with them (docs/SYNC.md, S30). After
 * a silence the server is asked for it before a row is sent: a row that is sent ahead of those before it may be late.
 */
export function followEpoch(send: Send, ports: EpochPorts): Send {
  const { clock } = ports;
  let heardAt: number | null = null;

  const isSilent = () => heardAt === null || Math.abs(clock.now() - heardAt) > silenceMs;

  async function exchange(call: OutgoingCall): Promise<{ response: RawResponse; isRestored: boolean }> {
    const response = await send(call);
    try {
      const isRestored = await follow(ports, response);
      // A proxy's page says nothing of the server behind it, which may be being restored.
      if (response.kind === "answer" && response.epoch !== null) heardAt = clock.now();
      return { response, isRestored };
    } catch (error) {
      // The storage failed: nothing may be settled by a response that could not be looked at.
      globalThis.reportError(error);
      return { response: { kind: "no_answer" }, isRestored: false };
    }
  }

  /** A proxy's page, or a captive portal's, where the server itself names its epoch. One of a release before epochs names none ever. */
  const isOfAnother = async ({ epoch }: Extract<RawResponse, { kind: "answer" }>) =>
    epoch === null && (await readSetting(ports.database, settings.serverEpoch)) !== null;

  return async (call) => {
    if (call.method === "POST" && isSilent()) {
      const { response, isRestored } = await exchange({ method: "GET", path: health.path });
      if (response.kind === "no_answer" || response.status >= 500) return response;
      if (isRestored) return startOver;
      if (await isOfAnother(response)) return { kind: "no_answer" };
    }
    return (await exchange(call)).response;
  };
}
