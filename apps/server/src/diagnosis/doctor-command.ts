import type { CheckName, Diagnosis, Finding } from "@stocktake/contract";
import { DatabaseStartError, messageOf } from "../database/errors.ts";
import { createDatabase } from "../database/pool.ts";
import { openReplica } from "../database/replica.ts";
import { holdsEmbeddedDatabase, openForCommand } from "../embedded-postgres/embedded-postgres.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import { type Config, ConfigError } from "../kernel/config.ts";
import { timeText } from "../kernel/formats.ts";
import {
  createShopifyPlatform,
  createShopifyTransport,
  createShopTime,
  shopifyApiVersion,
} from "../shopify/shopify.ts";
import { checkServer } from "./check-address.ts";
import { checkDatabase, type DatabaseReading, unreadable } from "./check-database.ts";
import { diagnoseWith } from "./diagnose.ts";
import { failed, notConfigured } from "./finding.ts";

export interface DoctorCommand {
  readonly args: readonly string[];
  /** Throws ConfigError. */
  readConfig(): Config;
  readonly output: NodeJS.WritableStream;
  readonly errors: NodeJS.WritableStream;
  readonly clock?: Clock;
}

/** Prints the diagnosis, with --json for programs. Returns the exit code: 1 when something failed, 2 for wrong usage. */
export async function runDoctor(command: DoctorCommand): Promise<number> {
  const [option, ...more] = command.args;
  if (more.length > 0 || (option !== undefined && option !== "--json")) {
    command.errors.write("Usage: doctor [--json]\n");
    return 2;
  }
  const diagnosis = await examine(command);
  command.output.write(option === "--json" ? `${JSON.stringify(diagnosis, null, 2)}\n` : textOf(diagnosis));
  return diagnosis.findings.some(({ status }) => status === "failed") ? 1 : 0;
}

async function examine({ readConfig, clock = systemClock }: DoctorCommand): Promise<Diagnosis> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { checkedAt: new Date(clock.now()).toISOString(), findings: error.problems.map(unusable) };
  }
  const database = await readDatabase(config, clock);
  const platform = createShopifyPlatform({
    transport: createShopifyTransport({
      apiUrl: config.shopify?.apiUrl ?? "http://localhost",
      version: shopifyApiVersion,
      auth: config.shopify?.auth ?? { kind: "token", accessToken: "" },
      clock,
    }),
    clock,
  });
  const shopTime = createShopTime({ platform, clock });
  const [server, { checkedAt, findings }] = await Promise.all([
    checkServer(config, database.installation, { clock, fetch: globalThis.fetch }),
    diagnoseWith(database, { config, platform, shopTime, clock }),
  ]);
  return { checkedAt, findings: [server, ...findings] };
}

function unusable(problem: string): Finding {
  return failed("configuration", problem, "Correct the variable where the service's environment is set.");
}

/** Makes no database where there is none yet: whoever runs this command need not be the server's user. */
async function readDatabase(config: Config, clock: Clock): Promise<DatabaseReading> {
  if (config.databaseUrl === null && !(await holdsEmbeddedDatabase(config.dataDir))) {
    const message = "There is no database yet; the server makes it at its first start.";
    return {
      installation: null,
      findings: [
        notConfigured("database", message, "Start the server, or set DATA_DIR to where its data is."),
      ],
    };
  }
  try {
    return await openAndLook(config, clock);
  } catch (error) {
    if (!(error instanceof DatabaseStartError))
      return { installation: null, findings: [unreadable(messageOf(error))] };
    const advice = "Run this command as the server's user or as root, with the service's environment.";
    return { installation: null, findings: [failed("database", error.message, advice)] };
  }
}

async function openAndLook(config: Config, clock: Clock): Promise<DatabaseReading> {
  const { connection, close } = await openForCommand(config);
  try {
    const open = createDatabase(connection, { max: 1 });
    const replica =
      config.databaseReplicaUrl === null ? null : openReplica(config.databaseReplicaUrl, { max: 1 });
    try {
      return await checkDatabase({
        database: open.database,
        replica: replica?.database ?? null,
        clock,
      });
    } finally {
      await Promise.all([open.close(), replica?.close()]);
    }
  } finally {
    await close();
  }
}

const names: Readonly<Record<CheckName, string>> = {
  configuration: "Configuration",
  server: "Server",
  database: "Database",
  disk: "Disk",
  shopify: "Shopify",
  scopes: "Scopes",
  clock: "Clock",
  products: "Products",
  address: "Address",
  webhooks: "Webhooks",
  mail: "Mail",
};

const words: Readonly<Record<Finding["status"], string>> = {
  ok: "ok",
  warning: "warning",
  failed: "FAILED",
  not_configured: "not used",
};

const statusWidth = 10;
const nameWidth = 15;

function textOf({ checkedAt, findings }: Diagnosis): string {
  const lines = findings.flatMap(({ check, status, message, advice }) => [
    `${words[status].padEnd(statusWidth)}${names[check].padEnd(nameWidth)}${message}`,
    ...(advice === null ? [] : [`${" ".repeat(statusWidth + nameWidth)}→ ${advice}`]),
  ]);
  const count = (status: Finding["status"]) => findings.filter((finding) => finding.status === status).length;
  const sum = `${count("failed")} failed, ${count("warning")} to look at.`;
  return `${[`Looked at ${timeText(new Date(checkedAt))}`, "", ...lines, "", sum].join("\n")}\n`;
}
