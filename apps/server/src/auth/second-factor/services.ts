import type { Database } from "../../database/pool.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Config } from "../../kernel/config.ts";
import type { DeviceMarks } from "../device-mark.ts";
import type { PasswordChecks } from "../sign-in.ts";
import type { SignInTrace } from "../sign-in-trace.ts";
import type { Seal } from "./seal.ts";

/** What checking a second factor takes. */
export interface FactorServices {
  readonly database: Database;
  readonly seal: Seal;
  readonly clock: Clock;
}

/** What the calls about second factors take. */
export interface SecondFactorServices extends FactorServices {
  readonly config: Pick<Config, "publicUrl">;
  readonly checks: PasswordChecks;
  readonly marks: DeviceMarks;
  readonly trace: SignInTrace;
}
