import type { StocktakeDatabase } from "../database/database.ts";
import { readSetting, settings, writeSetting } from "../database/settings.ts";
import type { Clock } from "../ports.ts";
import { type ClockOffset, type ClockSample, narrowOffset, toServerTime } from "./clock-offset.ts";
import { type ClockReading, isSameLead, type Measurement } from "./scan-time.ts";

/** The offset as stored in the database, narrowed by each response; and the clocks of this page. */
export interface ServerClock {
  current(): ClockOffset | null;
  record(sample: ClockSample): void;
  /** What the clocks show now, to be written with a row. */
  read(): ClockReading;
  /** The clocks when the server was last heard in this page; null before that. */
  heard(): Measurement | null;
  /** The server's time in milliseconds; null where it has not been heard in this page, or the clock was set since. */
  serverNow(): number | null;
}

const leadOf = (clock: Clock) => clock.now() - clock.elapsed();

/** @param page names this page among all that write rows */
export async function loadServerClock(
  database: StocktakeDatabase,
  clock: Clock,
  page: string,
): Promise<ServerClock> {
  let offset = await readSetting(database, settings.clockOffset);
  let heard: Measurement | null = null;
  const isDoubtful = () => heard === null || !isSameLead(leadOf(clock), heard.lead);
  return {
    current: () => offset,
    heard: () => heard,
    serverNow: () => (isDoubtful() ? null : toServerTime(clock.now(), offset)),
    read: () => ({
      page,
      lead: leadOf(clock),
      elapsed: clock.elapsed(),
      offset,
      isDoubtful: isDoubtful(),
    }),
    record(sample) {
      const narrowed = narrowOffset(offset, sample);
      heard = { page, lead: leadOf(clock), elapsed: clock.elapsed(), offset: narrowed };
      if (narrowed.low === offset?.low && narrowed.high === offset.high) return;
      offset = narrowed;
      const now = new Date(clock.now()).toISOString();
      writeSetting(database, settings.clockOffset, narrowed, now).catch(globalThis.reportError);
    },
  };
}
