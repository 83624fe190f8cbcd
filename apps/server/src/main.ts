import { setFlagsFromString } from "node:v8";
import { pino } from "pino";
import { DatabaseStartError } from "./database/errors.ts";
import { MigrationError } from "./database/migrate.ts";
import { type Config, ConfigError, readConfig } from "./kernel/config.ts";
import { type RunningServer, startServer } from "./server.ts";

/**
 * By itself V8 collects old objects once there are up to four times as many as at the last time: what batches leave behind
 * doubled the memory of a busy server.
 */
const heapGrowth = "--heap-growing-percent=50";

/** Longer than any request may take; whoever stops a server waits for it. */
const stopTimeoutMs = 30_000;

function readConfigOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) return giveUp(error.message);
    throw error;
  }
}

/** The reason goes to stderr in words, for the person at the shell; the log is for machines. */
function giveUp(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

function reasonOf(error: unknown, { host, port }: Config): string {
  if (
    error instanceof ConfigError ||
    error instanceof DatabaseStartError ||
    error instanceof MigrationError
  ) {
    return error.message;
  }
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") {
    return `Port ${port} on ${host} is already in use. Stop what uses it, or set PORT to another one.`;
  }
  if (code === "EACCES" || code === "EADDRNOTAVAIL") {
    return `Stocktake may not listen on ${host}:${port} (${code}). Set HOST and PORT to an address of this machine.`;
  }
  return `Stocktake could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

function greet({ url, generatedPassword }: RunningServer): void {
  process.stdout.write(`Stocktake is running at ${url}\n`);
  if (generatedPassword !== null) {
    process.stdout.write(
      `The administrator's password is ${generatedPassword} (shown only this once; change it in the app)\n`,
    );
  }
}

setFlagsFromString(heapGrowth);
const config = readConfigOrExit();
const logger = pino({ level: config.logLevel });
process.on("unhandledRejection", (error) => {
  logger.fatal({ err: error }, "A failure was handled nowhere; the server ends");
  process.exit(1);
});

const stopAsked = new Promise<null>((resolve) => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve(null));
});

async function startOrExit(): Promise<RunningServer> {
  try {
    return await startServer(config, logger);
  } catch (error) {
    return giveUp(reasonOf(error, config));
  }
}

const server = await startOrExit();
greet(server);
const databaseLoss = await Promise.race([stopAsked, server.databaseLost]);
if (databaseLoss !== null)
  logger.fatal({ err: databaseLoss }, "The database this server began on is gone; the server ends too");
setTimeout(() => {
  logger.fatal("The server did not stop in time and is ended now; nothing that was stored is lost");
  process.exit(1);
}, stopTimeoutMs).unref();
await server.stop();
process.exit(databaseLoss === null ? 0 : 1);
