import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { buildApp } from "./assembly/app.ts";
import { type AppContext, assembleServices } from "./assembly/assembly.ts";
import { allSlices } from "./assembly/slices.ts";
import { createPasswords, endLateChallenges, ensureAdmin } from "./auth/auth.ts";
import { readUntilRead } from "./catalogue/catalogue.ts";
import { createDueIssuer, followChanges } from "./certificates/certificates.ts";
import { applyTolerances, followClosings } from "./count-again/count-again.ts";
import type { DatabaseConnection } from "./database/connection.ts";
import type { DatabaseStartError } from "./database/errors.ts";
import { createInstallationFence, type InstallationFence } from "./database/installation-fence.ts";
import { migrate } from "./database/migrate.ts";
import { createDatabase } from "./database/pool.ts";
import { requireOwnSession, requireReachable } from "./database/pooler.ts";
import { openReplica } from "./database/replica.ts";
import { startAlone } from "./database/starting.ts";
import { startEmbeddedPostgres } from "./embedded-postgres/embedded-postgres.ts";
import { sendWaitingInvitations } from "./invitations/invitations.ts";
import { systemClock } from "./kernel/clock.ts";
import { type Config, ConfigError } from "./kernel/config.ts";
import { createOutboxMailer, createSmtpMailer, type Mailer, mailSecurityWarning } from "./mail/mail.ts";
import { sendNotices } from "./notices/notices.ts";
import { keepSweeping, prune, type ScheduledTask, startSchedule } from "./operations/operations.ts";
import {
  createShopifyPlatform,
  createShopifyTransport,
  type ShopifyPlatform,
  shopifyApiVersion,
} from "./shopify/shopify.ts";

export interface RunningServer {
  /** Where people reach it. */
  readonly url: string;
  /** The administrator's first password, where it was made up at this start. */
  readonly generatedPassword: string | null;
  /** Resolves when the database ends without having been asked to, or is another one now; nothing is stored from then on. */
  readonly databaseLost: Promise<DatabaseStartError>;
  /** Takes no more requests, lets those under way finish, stops the work in hand and the database. */
  stop(): Promise<void>;
}

/** What was opened, closed in the opposite order. */
class Closers {
  private readonly closers: (() => Promise<void>)[] = [];

  add(close: () => Promise<void>): void {
    this.closers.push(close);
  }

  async closeAll(): Promise<void> {
    for (let close = this.closers.pop(); close !== undefined; close = this.closers.pop()) await close();
  }
}

const poolSize = 20;

/**
 * Starts everything and listens. What was opened is closed again when a later step fails. Throws ConfigError,
 * DatabaseStartError, MigrationError, or the error of a port that can't be listened on.
 */
export async function startServer(config: Config, logger: FastifyBaseLogger): Promise<RunningServer> {
  const closers = new Closers();
  try {
    return await start(config, logger, closers);
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

async function start(config: Config, logger: FastifyBaseLogger, closers: Closers): Promise<RunningServer> {
  const platform = createPlatform(config);
  await requireListenable(config);
  const opened = await openDatabase(config, logger, closers);
  const fence = createInstallationFence();
  const { app, generatedPassword } = await startAlone(
    opened.direct,
    () => prepare({ config, logger, closers, platform, fence }, opened),
    logger,
  );
  const address = await app.listen({ port: config.port, host: config.host });
  return {
    url: urlOf(config, address),
    generatedPassword,
    databaseLost: Promise.race([opened.databaseLost, fence.replaced]),
    stop: () => closers.closeAll(),
  };
}

interface Preparation {
  readonly config: Config;
  readonly logger: FastifyBaseLogger;
  readonly closers: Closers;
  readonly platform: ShopifyPlatform;
  readonly fence: InstallationFence;
}

/** All that comes before listening, on an opened database: its tables and queues, what is made once, and the app. */
async function prepare({ config, logger, closers, platform, fence }: Preparation, opened: OpenedDatabase) {
  const { connection, direct, alone } = opened;
  await migrate(direct, { logger, mayShare: true });
  const { database, pool, close } = createDatabase(connection, {
    max: poolSize,
    logger,
    fence,
    pooled: direct !== connection,
  });
  closers.add(close);
  const replica =
    config.databaseReplicaUrl === null
      ? null
      : openReplica(config.databaseReplicaUrl, { max: poolSize, logger });
  if (replica !== null) closers.add(replica.close);
  const mailer = createMailer(config, logger);
  const environment = {
    config,
    version: await readVersion(),
    database,
    replica: replica?.database ?? null,
    pool,
    connection: direct,
    fence,
    platform,
    mailer,
    clock: systemClock,
    logger,
  };
  const { context, close: closeServices } = await assembleServices(environment);
  closers.add(closeServices);
  await context.operations.sweep(alone ? "alone" : undefined);
  closers.add(keepSweeping(context));
  closers.add(followClosings(context));
  closers.add(followChanges(context));
  const schedule = await startSchedule({ database, pool, tasks: scheduledTasks(context), logger });
  closers.add(() => schedule.stop());
  closers.add(readUntilRead(context));
  const app = await buildApp(context, allSlices, webRoot(logger));
  closers.add(() => closeApp(app, context));
  // Last, because a password that was made up is shown only by a start that succeeds; yet before anybody can sign in.
  const { generatedPassword } = await ensureAdmin(database, config, createPasswords());
  return { app, generatedPassword };
}

/**
 * Rejects with the error of listening there, such as EADDRINUSE, before anything else is opened or made. Whoever takes
 * the address in between is met when the server itself listens.
 */
async function requireListenable(address: { readonly host: string; readonly port: number }): Promise<void> {
  const probe = createServer().listen({ ...address, exclusive: true });
  await once(probe, "listening");
  probe.close();
  await once(probe, "close");
}

/** What the server does by the clock. */
function scheduledTasks(context: AppContext): ScheduledTask[] {
  const { catalogue, stockWatch, database } = context;
  return [
    { name: "read-catalogue", cron: "7 * * * *", run: () => catalogue.refresh() },
    { name: "read-stock-movement", cron: "* * * * *", run: () => stockWatch.read() },
    { name: "apply-tolerances", cron: "* * * * *", run: () => applyTolerances(context) },
    { name: "issue-due-certificates", cron: "* * * * *", run: createDueIssuer(context) },
    { name: "send-notices", cron: "* * * * *", run: () => tellAdministrator(context) },
    { name: "send-waiting-invitations", cron: "* * * * *", run: () => sendWaitingInvitations(context) },
    { name: "prune", cron: "23 3 * * *", run: () => prune(database) },
  ];
}

async function tellAdministrator(context: AppContext): Promise<void> {
  await endLateChallenges(context.database);
  await sendNotices(context);
}

function createPlatform({ shopify }: Config): ShopifyPlatform {
  if (shopify === null) {
    throw new ConfigError([
      "SHOPIFY_SHOP is missing: set it and SHOPIFY_ACCESS_TOKEN (or SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET), " +
        "or run `npm start`, which brings a demo shop.",
    ]);
  }
  const { apiUrl, auth } = shopify;
  const transport = createShopifyTransport({
    apiUrl,
    version: shopifyApiVersion,
    auth,
    clock: systemClock,
  });
  return createShopifyPlatform({ transport, clock: systemClock });
}

function createMailer({ smtp }: Config, logger: FastifyBaseLogger): Mailer {
  if (smtp === null) return createOutboxMailer();
  const warning = mailSecurityWarning(smtp.url);
  if (warning !== null) logger.warn(`${warning.message} ${warning.advice}`);
  return createSmtpMailer({ ...smtp, logger });
}

interface OpenedDatabase {
  readonly connection: DatabaseConnection;
  /** The same database, without a pooler between. */
  readonly direct: DatabaseConnection;
  /** No other node can work on this database. */
  readonly alone: boolean;
  readonly databaseLost: Promise<DatabaseStartError>;
}

async function openDatabase(
  { databaseUrl, databaseDirectUrl, dataDir }: Config,
  logger: FastifyBaseLogger,
  closers: Closers,
): Promise<OpenedDatabase> {
  if (databaseUrl !== null) return openServer(databaseUrl, databaseDirectUrl);
  const embedded = await startEmbeddedPostgres({ dataDir, logger });
  closers.add(() => embedded.stop());
  const { connection } = embedded;
  return { connection, direct: connection, alone: true, databaseLost: embedded.endedUnexpectedly };
}

/** A PostgreSQL server that others run. */
async function openServer(url: string, directUrl: string | null): Promise<OpenedDatabase> {
  const connection = { connectionString: url };
  const direct = directUrl === null ? connection : { connectionString: directUrl };
  await requireOwnSession(direct, directUrl === null ? "DATABASE_URL" : "DATABASE_DIRECT_URL");
  if (directUrl !== null) await requireReachable(connection, "DATABASE_URL");
  return { connection, direct, alone: false, databaseLost: new Promise(() => undefined) };
}

/** A release names itself in its own package.json; in the source tree it is the product's. */
async function readVersion(): Promise<string> {
  const { version }: { version: string } = JSON.parse(
    await readFile(new URL("../../../package.json", import.meta.url), "utf8"),
  );
  return version;
}

/** Beside the server's own folder, both in the source tree and in the build. */
function webRoot(logger: FastifyBaseLogger): string | null {
  const folder = fileURLToPath(new URL("../../web/dist", import.meta.url));
  if (existsSync(folder)) return folder;
  logger.warn("The web app has not been built, so only the API is served. Run `npm run build`.");
  return null;
}

/** Work in hand is stopped at the same time: a request that waits for it is answered and does not hold up the end. */
async function closeApp(app: FastifyInstance, context: AppContext): Promise<void> {
  await Promise.all([app.close(), context.operations.close()]);
}

/** `address` is what is listened on; without a PUBLIC_URL the host goes by the name it was given. */
function urlOf({ publicUrl, host }: Config, address: string): string {
  if (publicUrl !== null) return publicUrl.href;
  return `http://${host.includes(":") ? `[${host}]` : host}:${new URL(address).port}`;
}
