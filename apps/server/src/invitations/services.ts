import type { Database } from "../database/pool.ts";
import type { EventBus } from "../events/events.ts";
import type { Config } from "../kernel/config.ts";
import type { Mailer } from "../mail/mail.ts";

/** What invitations work with. */
export interface InvitationServices {
  readonly config: Config;
  readonly database: Database;
  readonly mailer: Mailer;
  readonly events: EventBus;
}
