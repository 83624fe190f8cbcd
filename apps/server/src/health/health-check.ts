import type { Health } from "@stocktake/contract";
import type { AppContext } from "../context.ts";
import { withDeadline } from "../shopify/deadline.ts";
import { isPlatformError } from "../shopify/errors.ts";

type Part = Health["shopify"];
type Outside = Pick<Health, "shopify" | "mail">;

/** What is said of Shopify and of the mail server is kept this long: a call of ours is never a call of theirs. */
const KEPT_MS = 15_000;
/** Nobody who asks for our health waits longer than this for somebody else's. */
const PATIENCE_MS = 2_000;
/** The catalogue is read hourly; one reading may fail without anyone being alarmed. */
const CATALOGUE_STALE_MS = 2.5 * 60 * 60 * 1000;
/** The shop that the launcher's emulator plays. */
const demoShop = "linden-quay-demo.myshopify.com";
const version = "1.0.0";

const sentences = {
  database: "The database answers.",
  databaseGone: "The database does not answer. Nothing can be stored until it is back.",
  shopify: "Shopify answers.",
  shopifySlow: "Shopify has not answered in time.",
  noShop: "No Shopify shop is configured.",
  otherShop: "Connected to another Shopify shop than the one this installation belongs to.",
  mail: "The mail server answers.",
  mailGone: "The mail server does not answer; invitations can't be sent.",
  outbox: "No mail server is configured; invitations go to the outbox.",
  neverRead: "The products have not been read from Shopify yet.",
  stale: "The products have not been read from Shopify for hours.",
  fresh: "The products are up to date.",
} as const;

function ok(message: string): Part {
  return { status: "ok", message };
}

function unavailable(message: string): Part {
  return { status: "unavailable", message };
}

/** Looks after the server's parts. Never throws: what fails is the answer. */
export class HealthCheck {
  private readonly context: AppContext;
  private kept: { readonly until: number; readonly outside: Promise<Outside> } | undefined;

  constructor(context: AppContext) {
    this.context = context;
  }

  async read(): Promise<Health> {
    const [inside, outside] = await Promise.all([this.readDatabase(), this.outside()]);
    return {
      status: inside.database.status === "ok" ? "ok" : "unavailable",
      ...inside,
      ...outside,
      demo: this.context.config.shopify?.shop === demoShop,
      version,
    };
  }

  private async readDatabase(): Promise<Pick<Health, "database" | "sync">> {
    const { database, clock, logger } = this.context;
    try {
      const row = await withDeadline(clock, PATIENCE_MS, undefined, (signal) =>
        unlessAborted(
          signal,
          database.selectFrom("installation").select("catalogue_read_at").executeTakeFirstOrThrow(),
        ),
      );
      return { database: ok(sentences.database), sync: syncOf(row.catalogue_read_at, clock.now()) };
    } catch (error) {
      logger.error({ err: error }, "The database does not answer");
      return { database: unavailable(sentences.databaseGone), sync: unavailable(sentences.databaseGone) };
    }
  }

  private outside(): Promise<Outside> {
    const now = this.context.clock.now();
    if (this.kept === undefined || this.kept.until <= now) {
      this.kept = { until: now + KEPT_MS, outside: this.readOutside() };
    }
    return this.kept.outside;
  }

  private async readOutside(): Promise<Outside> {
    const [shopify, mail] = await Promise.all([this.readShopify(), this.readMail()]);
    return { shopify, mail };
  }

  private async readShopify(): Promise<Part> {
    const { config, platform, clock, logger, database } = this.context;
    if (config.shopify === null) return { status: "not_configured", message: sentences.noShop };
    try {
      const shop = await withDeadline(clock, PATIENCE_MS, undefined, (signal) => platform.shop(signal));
      const known = await database.selectFrom("installation").select("shop_domain").executeTakeFirst();
      const other = known?.shop_domain != null && known.shop_domain !== shop.domain;
      return other ? unavailable(sentences.otherShop) : ok(sentences.shopify);
    } catch (error) {
      logger.warn({ err: error }, "Shopify was not healthy");
      return unavailable(isPlatformError(error) ? error.message : sentences.shopifySlow);
    }
  }

  private async readMail(): Promise<Part> {
    const { mailer, clock, logger } = this.context;
    if (mailer.kind === "outbox") return { status: "not_configured", message: sentences.outbox };
    try {
      const answers = await withDeadline(clock, PATIENCE_MS, undefined, (signal) =>
        unlessAborted(signal, mailer.check()),
      );
      return answers ? ok(sentences.mail) : unavailable(sentences.mailGone);
    } catch (error) {
      logger.warn({ err: error }, "The mail server was not healthy");
      return unavailable(sentences.mailGone);
    }
  }
}

function syncOf(readAt: Date | null, now: number): Part {
  if (readAt === null) return unavailable(sentences.neverRead);
  return now - readAt.getTime() > CATALOGUE_STALE_MS ? unavailable(sentences.stale) : ok(sentences.fresh);
}

/** The work's result, or the signal's reason for work that knows no signals. */
function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
