import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { Clock } from "../kernel/clock.ts";

/** A device that was heard of in a session; `pending` is how many scans it said it still holds, null when it didn't. */
export interface Sighting {
  readonly sessionId: string;
  readonly deviceId: string;
  readonly userId: string;
  readonly pending: number | null;
}

interface Noted {
  readonly userId: string;
  readonly pending: number | null;
  readonly at: number;
}

/** A device that goes on counting is written down again after this time, not with every scan. */
const REPEAT_AFTER_MS = 10_000;

/** Writes down which devices take part in a session, for the administrator's progress. */
export class DeviceSightings {
  private readonly database: Database;
  private readonly clock: Pick<Clock, "now">;
  private readonly noted = new Map<string, Noted>();
  private sweptAt = 0;

  constructor(database: Database, clock: Pick<Clock, "now">) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * Notes the devices, in a statement of its own: its foreign keys lock the session's row, which a scan's transaction
   * must not wait for while it holds areas.
   */
  async note(sightings: readonly Sighting[]): Promise<void> {
    const now = this.clock.now();
    const due = [...new Map(sightings.map((sighting) => [keyOf(sighting), sighting])).values()].filter(
      (sighting) => this.isNews(sighting, now),
    );
    if (due.length === 0) return;
    await sql`
      insert into session_devices as device (session_id, device_id, user_id, pending)
      select * from json_to_recordset(${JSON.stringify(due.map(asRow))}::json) as sighting (
        session_id uuid, device_id text, user_id uuid, pending integer)
      order by session_id, device_id
      on conflict (session_id, device_id) do update
      set user_id = excluded.user_id, last_seen_at = now(), pending = coalesce(excluded.pending, device.pending)`.execute(
      this.database,
    );
    for (const sighting of due) this.noted.set(keyOf(sighting), { ...sighting, at: now });
    this.sweep(now);
  }

  private isNews(sighting: Sighting, now: number): boolean {
    const noted = this.noted.get(keyOf(sighting));
    if (noted === undefined || Math.abs(now - noted.at) >= REPEAT_AFTER_MS) return true;
    return (
      noted.userId !== sighting.userId || (sighting.pending !== null && noted.pending !== sighting.pending)
    );
  }

  private sweep(now: number): void {
    if (Math.abs(now - this.sweptAt) < REPEAT_AFTER_MS) return;
    this.sweptAt = now;
    for (const [key, { at }] of this.noted) if (Math.abs(now - at) >= REPEAT_AFTER_MS) this.noted.delete(key);
  }
}

const keyOf = ({ sessionId, deviceId }: Sighting) => `${sessionId}:${deviceId}`;

function asRow({ sessionId, deviceId, userId, pending }: Sighting) {
  return { session_id: sessionId, device_id: deviceId, user_id: userId, pending };
}
