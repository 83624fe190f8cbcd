import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buildSchema, type GraphQLSchema } from "graphql";
import { KeysInFlight } from "./adjusting/adjust.ts";
import { BulkOperations } from "./bulk/operations.ts";
import type { Catalogue } from "./catalogue.ts";
import { type Clock, MovableClock } from "./clock.ts";
import { commandRunner } from "./control/commands.ts";
import { Faults, HangingCalls } from "./faults.ts";
import { CostBucket } from "./graphql/cost.ts";
import { MAXIMUM_ROWS } from "./graphql/paging.ts";
import { BulkRoot, withResolvers } from "./graphql/root.ts";
import type { SearchWarning, ViewContext } from "./graphql/views.ts";
import { AdminApi } from "./http/admin-api.ts";
import { CallLog } from "./http/call-log.ts";
import { jsonReply, type Reply } from "./http/exchange.ts";
import { type Routes, route } from "./http/routes.ts";
import { type AppCredentials, Tokens } from "./http/tokens.ts";
import { Journal } from "./journal.ts";
import { demoCatalogue } from "./seeds/demo.ts";
import type { Settings } from "./settings.ts";
import { Store } from "./store.ts";
import { Webhooks } from "./webhooks.ts";

const DEFAULT_SETTINGS: Readonly<Settings> = {
  replay: "before-staleness",
  staleRow: "fails-all",
  userErrorBurnsKey: false,
  idempotencyIgnored: false,
  compareIgnored: false,
  bulkDuration: 0,
  bulkRefusal: "OPERATION_IN_PROGRESS",
  maximumAvailable: 2000,
  restoreRate: 100,
  pageReach: 25_000,
  pageRows: MAXIMUM_ROWS,
  searchLag: 0,
  filterIgnored: false,
  scopes: "read_products,read_inventory,write_inventory,read_locations",
};

export interface EmulatorOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** The origin that bulk results and images are named under; default the address it listens on. */
  readonly publicUrl?: string;
  /** Default the demo catalogue. */
  readonly catalogue?: Catalogue;
  readonly clock?: Clock;
  /** When its stock last changed before it opened, in milliseconds; default as it opens, as after an import of everything. */
  readonly stockedAt?: number;
  /** Keeps the shop's state over restarts. */
  readonly stateFile?: string;
  readonly settings?: Partial<Settings>;
  readonly credentials?: Partial<AppCredentials>;
}

export interface Emulator {
  readonly url: string;
  readonly store: Store;
  readonly credentials: AppCredentials;
  /** May be called again; connections that are open end with it. */
  readonly close: () => Promise<void>;
  readonly reset: () => void;
}

/** What opens the emulator where nothing else was asked for. */
export const DEFAULT_CREDENTIALS: AppCredentials = {
  accessToken: "shpat_emulator",
  clientId: "emulator-client",
  clientSecret: "emulator-secret",
};

interface OpenedStore {
  readonly store: Store;
  readonly journal: Journal | null;
}

/** Journal first: an event is in the file before anyone who is told of it can reply because of it. */
function openStore(catalogue: Catalogue, stateFile: string | undefined, now: number): OpenedStore {
  if (stateFile === undefined) return { store: new Store(catalogue, now), journal: null };
  const { journal, startedAt, events } = Journal.open(stateFile, catalogue.fingerprint, now);
  const store = new Store(catalogue, startedAt);
  for (const event of events) store.apply(event);
  store.listen((event) => journal.append(event));
  return { store, journal };
}

/** Everything an emulator is made of, before it listens. */
function makeServices(options: EmulatorOptions, baseUrl: () => string) {
  const clock = new MovableClock(options.clock ?? Date.now);
  const now = () => clock.now();
  const catalogue = options.catalogue ?? demoCatalogue();
  const startSettings: Settings = { ...DEFAULT_SETTINGS, ...options.settings };
  const settings: Settings = { ...startSettings };
  const credentials = { ...DEFAULT_CREDENTIALS, ...options.credentials };
  const { store, journal } = openStore(catalogue, options.stateFile, options.stockedAt ?? now());
  const schema = withResolvers(readAdminSchema());
  const faults = new Faults();
  const view = (warn: ViewContext["warn"] = () => undefined) => ({
    store,
    baseUrl: baseUrl(),
    pageReach: settings.pageReach,
    pageRows: settings.pageRows,
    searchedUntil: now() - settings.searchLag,
    filterIgnored: settings.filterIgnored,
    warn,
  });
  const bulk = new BulkOperations({ schema, root: () => new BulkRoot(view()), clock: now, settings, faults });
  return {
    clock,
    catalogue,
    startSettings,
    settings,
    credentials,
    store,
    journal,
    schema,
    faults,
    bulk,
    hanging: new HangingCalls(),
    inFlight: new KeysInFlight(),
    tokens: new Tokens(credentials, now),
    bucket: new CostBucket(now, settings),
    log: new CallLog(now),
    webhooks: new Webhooks(store),
    context: () => {
      const searchWarnings: SearchWarning[] = [];
      const warn = (warning: SearchWarning) => void searchWarnings.push(warning);
      return { ...view(warn), searchWarnings, clock: now, settings, faults, bulk };
    },
  };
}

type Services = ReturnType<typeof makeServices>;

function resetServices(services: Services): void {
  const { settings, startSettings, journal, catalogue, store, clock } = services;
  Object.assign(settings, startSettings);
  services.faults.clear();
  services.hanging.drop();
  services.tokens.revoke();
  services.bucket.leave(settings.maximumAvailable);
  services.log.clear();
  services.webhooks.reset();
  services.bulk.reset();
  journal?.restart(catalogue.fingerprint, clock.now());
  store.load(catalogue, clock.now());
}

async function respond(
  routes: Routes,
  now: () => number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // The shop's own time, as all that it says: clients measure by it how far their clocks are apart.
  response.setHeader("Date", new Date(now()).toUTCString());
  try {
    const routed = await route(routes, request, response);
    if (routed === null) response.destroy();
    else if (routed !== "sent") send(response, routed);
  } catch (error) {
    process.stderr.write(
      `${request.method} ${request.url}: ${error instanceof Error ? error.stack : error}\n`,
    );
    if (response.headersSent) response.destroy();
    else send(response, jsonReply({ errors: "The emulator failed." }, 500));
  }
}

function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      const address = server.address();
      const bound = typeof address === "object" && address ? address.port : port;
      resolve(`http://${host.includes(":") ? `[${host}]` : host}:${bound}`);
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}

/**
 * A stand-in Shopify shop that serves HTTP until it is closed. `reset` brings back the catalogue and
 * settings of the start. Rejects where the port is taken or the state file belongs to another catalogue.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  let url = "";
  const services = makeServices(options, () => options.publicUrl ?? url);
  const { store, credentials } = services;
  const reset = () => resetServices(services);
  const routes: Routes = {
    ...services,
    adminApi: new AdminApi(services),
    runCommand: commandRunner({ ...services, reset }),
  };
  const server = createServer(
    (request, response) => void respond(routes, () => services.clock.now(), request, response),
  );
  // A client keeps its connections; ours must not end one just when it is used again.
  server.keepAliveTimeout = 65_000;
  url = await listen(server, options.port ?? 0, options.host ?? "127.0.0.1");
  const end = async (): Promise<void> => {
    services.hanging.drop();
    await services.webhooks.close();
    await closeServer(server);
    services.journal?.close();
  };
  let ended: Promise<void> | null = null;
  const close = (): Promise<void> => {
    ended ??= end();
    return ended;
  };
  return { url, store, credentials, close, reset };
}

// This file and the built bundle both lie one folder deep in the app, so that one path serves both.
const SUBSET = "../../server/src/shopify/schema-subset.graphql";

/** The part of the official Admin schema that the operations reach, without resolvers. */
function readAdminSchema(): GraphQLSchema {
  return buildSchema(readFileSync(new URL(SUBSET, import.meta.url), "utf8"));
}

function send(response: ServerResponse, { status, body, headers }: Reply): void {
  if (response.destroyed) return;
  response.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body) });
  response.end(body);
}
