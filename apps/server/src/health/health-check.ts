import type { Health } from "@stocktake/contract";
import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../database/pool.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import { withDeadline } from "../kernel/deadline.ts";
import type { Mailer } from "../mail/mail.ts";
import { isPlatformError, type ShopifyPlatform, type ShopTime } from "../shopify/shopify.ts";
import { isCatalogueStale, levelsUnreadSince } from "./freshness.ts";
import { levelsReadAt } from "./queries.ts";

export interface HealthServices {
  readonly config: Config;
  /** Of the release that runs, by which nodes are told apart while they are updated. */
  readonly version: string;
  readonly database: Database;
  readonly platform: ShopifyPlatform;
  readonly mailer: Mailer;
  readonly clock: Clock;
  readonly shopTime: ShopTime;
  readonly logger: FastifyBaseLogger;
}

type Part = Health["shopify"];
type Outside = Pick<Health, "shopify" | "mail">;
type Inside = Pick<Health, "database" | "sync" | "epoch" | "stockUnreadSince">;

/** How long what Shopify and the mail server reported is cached: a call of ours is never a call of theirs. */
const cachedMs = 15_000;
/** Nobody who asks for our health waits longer than this for somebody else's. */
const timeoutMs = 2_000;
/** The shop that the launcher's emulator plays. */
const demoShop = "linden-quay-demo.myshopify.com";

const messages = {
  database: "The database is responding.",
  databaseGone: "The database is not responding. Nothing can be stored until it is back.",
  shopify: "Shopify is responding.",
  shopifySlow: "Shopify did not respond in time.",
  noShop: "No Shopify shop is configured.",
  otherShop: "Connected to another Shopify shop than the one this installation belongs to.",
  mail: "The mail server is responding.",
  mailGone: "The mail server is not responding, so invitations can't be sent.",
  outbox: "No mail server is configured; invitations go to the outbox.",
  neverRead: "The products have not been read from Shopify yet.",
  stale: "The products have not been read from Shopify for hours.",
  fresh: "The products are up to date.",
  levelsStale: (minutes: number) =>
    `Shopify's stock levels could not be read for ${minutes} minutes while a session counts. Counting goes on and no scan is lost. What moves meanwhile is marked uncertain in the report.`,
} as const;

function ok(message: string): Part {
  return { status: "ok", message };
}

function unavailable(message: string): Part {
  return { status: "unavailable", message };
}

/** Checks the server's parts. Never throws: a failure is a part of the result. */
export class HealthCheck {
  private readonly services: HealthServices;
  private cached: { readonly until: number; readonly outside: Promise<Outside> } | undefined;

  constructor(services: HealthServices) {
    this.services = services;
  }

  async read(): Promise<Health> {
    const [inside, outside] = await Promise.all([this.readDatabase(), this.outside()]);
    return {
      status: inside.database.status === "ok" ? "ok" : "unavailable",
      ...inside,
      ...outside,
      demo: this.services.config.shopify?.shop === demoShop,
      version: this.services.version,
    };
  }

  private async readDatabase(): Promise<Inside> {
    const { database, clock, logger } = this.services;
    try {
      const row = await withDeadline(clock, timeoutMs, undefined, (signal) =>
        unlessAborted(signal, readInstallation(database)),
      );
      const unreadSince = row.levelsReadAt && levelsUnreadSince(row.levelsReadAt, clock.now());
      return {
        database: ok(messages.database),
        sync: syncOf(row.catalogueReadAt, unreadSince, clock.now()),
        epoch: row.epoch,
        stockUnreadSince: unreadSince?.toISOString() ?? null,
      };
    } catch (error) {
      logger.error({ err: error }, "The database does not answer");
      const gone = unavailable(messages.databaseGone);
      return { database: gone, sync: gone, epoch: null, stockUnreadSince: null };
    }
  }

  private outside(): Promise<Outside> {
    const now = this.services.clock.now();
    if (this.cached === undefined || this.cached.until <= now) {
      this.cached = { until: now + cachedMs, outside: this.readOutside() };
    }
    return this.cached.outside;
  }

  private async readOutside(): Promise<Outside> {
    const [shopify, mail] = await Promise.all([this.readShopify(), this.readMail()]);
    return { shopify, mail };
  }

  private async readShopify(): Promise<Part> {
    const { config, platform, clock, logger, database } = this.services;
    if (config.shopify === null) return { status: "not_configured", message: messages.noShop };
    try {
      const shop = await withDeadline(clock, timeoutMs, undefined, (signal) => platform.shop(signal));
      const stored = await database.selectFrom("installation").select("shopDomain").executeTakeFirst();
      const other = stored?.shopDomain != null && stored.shopDomain !== shop.domain;
      return other ? unavailable(messages.otherShop) : ok(messages.shopify);
    } catch (error) {
      logger.warn({ err: error }, "Shopify was not healthy");
      return unavailable(isPlatformError(error) ? error.message : messages.shopifySlow);
    }
  }

  private async readMail(): Promise<Part> {
    const { mailer, clock, logger } = this.services;
    if (mailer.kind === "outbox") return { status: "not_configured", message: messages.outbox };
    try {
      const responds = await withDeadline(clock, timeoutMs, undefined, (signal) =>
        unlessAborted(signal, mailer.check()),
      );
      return responds ? ok(messages.mail) : unavailable(messages.mailGone);
    } catch (error) {
      logger.warn({ err: error }, "The mail server was not healthy");
      return unavailable(messages.mailGone);
    }
  }
}

function readInstallation(database: Database) {
  return database
    .selectFrom("installation")
    .select(["catalogueReadAt", "epoch", levelsReadAt])
    .executeTakeFirstOrThrow();
}

function syncOf(readAt: Date | null, unreadSince: Date | null, now: number): Part {
  if (unreadSince !== null) {
    return unavailable(messages.levelsStale(Math.floor((now - unreadSince.getTime()) / 60_000)));
  }
  if (readAt === null) return unavailable(messages.neverRead);
  return isCatalogueStale(readAt, now) ? unavailable(messages.stale) : ok(messages.fresh);
}

/** The work's result, or the signal's reason for work that takes no signal. */
function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
