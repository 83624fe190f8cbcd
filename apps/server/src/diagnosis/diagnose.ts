import type { Diagnosis, Finding } from "@stocktake/contract";
import type { Database } from "../database/pool.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import type { ShopifyPlatform, ShopTime } from "../shopify/shopify.ts";
import { checkAddress } from "./check-address.ts";
import { checkConfiguration } from "./check-configuration.ts";
import { checkDatabase, type DatabaseReading } from "./check-database.ts";
import { checkDisk } from "./check-disk.ts";
import { checkMail } from "./check-mail.ts";
import { checkShopify } from "./check-shopify.ts";
import { checkWebhooks } from "./check-webhooks.ts";

export interface DiagnosisServices {
  readonly config: Config;
  readonly database: Database;
  readonly replica: Database | null;
  readonly platform: ShopifyPlatform;
  readonly shopTime: ShopTime;
  readonly clock: Clock;
}

/** What is looked at without the database. */
type Outside = Omit<DiagnosisServices, "database" | "replica">;

/** Looks at everything that an installation depends on. Never throws: a failure is a finding. */
export async function diagnose({ database, replica, ...outside }: DiagnosisServices): Promise<Diagnosis> {
  return diagnoseWith(await checkDatabase({ database, replica, clock: outside.clock }), outside);
}

/** The rest of the diagnosis, beside what was found of the database. */
export async function diagnoseWith(database: DatabaseReading, outside: Outside): Promise<Diagnosis> {
  const { config, clock } = outside;
  const { installation } = database;
  const caller = { clock, fetch: globalThis.fetch };
  const [disk, shopify, address, webhooks, mail] = await Promise.all([
    checkDisk(config),
    checkShopify(outside, installation),
    checkAddress(config, installation, caller),
    checkWebhooks(config, caller),
    checkMail(config, installation),
  ]);
  const all = [
    ...checkConfiguration(config),
    ...database.findings,
    disk,
    ...shopify,
    address,
    webhooks,
    ...mail,
  ];
  const findings = all.filter((finding): finding is Finding => finding !== null);
  return { checkedAt: new Date(clock.now()).toISOString(), findings };
}
