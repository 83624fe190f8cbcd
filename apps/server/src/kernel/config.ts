import { isIPv4, isIPv6 } from "node:net";
import { limits, NewPassword } from "@stocktake/contract";
import * as z from "zod/mini";

/** How the server signs in at Shopify. */
export type ShopifyAuth =
  | { readonly kind: "token"; readonly accessToken: string }
  | { readonly kind: "client-credentials"; readonly clientId: string; readonly clientSecret: string };

export interface ShopifyConfig {
  readonly shop: string;
  readonly apiUrl: string;
  readonly auth: ShopifyAuth;
  readonly webhookSecret: string | null;
}

/** Everything the environment decides. Only this file reads it. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly publicUrl: URL | null;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** PostgreSQL itself where `databaseUrl` is a pooler's; null where it is not. */
  readonly databaseDirectUrl: string | null;
  /** A streaming replica of the database, of which reports are read; null where there is none. */
  readonly databaseReplicaUrl: string | null;
  readonly adminPassword: string | null;
  readonly shopify: ShopifyConfig | null;
  readonly smtp: { readonly url: string; readonly from: string } | null;
  /** Where the administrator is told of sign-ins and guessing; null where by no mail. */
  readonly adminEmail: string | null;
  /** MAIL_FROM, also where no mail is sent; the sender of mails is in `smtp`. */
  readonly mailFrom: string | null;
  readonly logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  /** Whether the proxy that calls us is believed, whoever it is; or the addresses and networks of those that are. */
  readonly trustProxy: boolean | readonly string[];
  /** Opens /metrics; null where nobody reads it. */
  readonly metricsToken: string | null;
}

/** The environment is wrong; `problems` names every bad variable with a sentence. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(["The configuration is not usable:", ...problems.map((problem) => `  - ${problem}`)].join("\n"));
    this.name = "ConfigError";
    this.problems = problems;
  }
}

const Url = (protocol: RegExp, message: string) => z.url({ protocol, error: message });

/** Shorter ones are guessed. */
const metricsTokenMinimum = 16;

function isNetwork(text: string): boolean {
  const [address = "", prefix, ...more] = text.split("/");
  const bits = isIPv4(address) ? 32 : isIPv6(address) ? 128 : 0;
  if (bits === 0 || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
}

function listOf(text: string): string[] {
  return text.split(",").map((entry) => entry.trim());
}

const switches = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

const Environment = z.object({
  PORT: z._default(
    z
      .string()
      .check(
        z.refine(
          (value) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535,
          "must be a port number, 0 to 65535",
        ),
      ),
    "3000",
  ),
  HOST: z._default(z.string(), "127.0.0.1"),
  PUBLIC_URL: z.optional(Url(/^https?$/, "must be an http or https URL")),
  DATA_DIR: z._default(z.string(), "./data"),
  DATABASE_URL: z.optional(Url(/^postgres(?:ql)?$/, "must be a postgres:// URL")),
  DATABASE_DIRECT_URL: z.optional(Url(/^postgres(?:ql)?$/, "must be a postgres:// URL")),
  DATABASE_REPLICA_URL: z.optional(Url(/^postgres(?:ql)?$/, "must be a postgres:// URL")),
  ADMIN_PASSWORD: z.optional(
    z
      .string()
      .check(
        z.refine(
          (password) => z.safeParse(NewPassword, password).success,
          `must be ${limits.passwordMinimum} to ${limits.passwordMaximum} characters long`,
        ),
      ),
  ),
  SHOPIFY_SHOP: z.optional(
    z
      .string()
      .check(z.regex(/^[a-z0-9][a-z0-9.-]*$/i, "must be the shop's domain, such as brand.myshopify.com")),
  ),
  SHOPIFY_ACCESS_TOKEN: z.optional(z.string()),
  SHOPIFY_CLIENT_ID: z.optional(z.string()),
  SHOPIFY_CLIENT_SECRET: z.optional(z.string()),
  SHOPIFY_API_URL: z.optional(Url(/^https?$/, "must be an http or https URL")),
  SHOPIFY_WEBHOOK_SECRET: z.optional(z.string()),
  SMTP_URL: z.optional(Url(/^smtps?$/, "must be an smtp:// or smtps:// URL")),
  MAIL_FROM: z.optional(z.string().check(z.regex(/^[^\r\n]+@[^\r\n]+$/, "must be an e-mail address"))),
  ADMIN_EMAIL: z.optional(
    z
      .string()
      .check(z.regex(/^[^\s@,;<>]+@[^\s@,;<>]+$/, "must be an e-mail address, such as owner@example.com")),
  ),
  LOG_LEVEL: z._default(
    z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
      error: "must be one of fatal, error, warn, info, debug, trace, silent",
    }),
    "info",
  ),
  TRUST_PROXY: z._default(
    z
      .string()
      .check(
        z.refine(
          (value) => switches.has(value) || listOf(value).every(isNetwork),
          "must be true, false, or the addresses or networks of proxies, such as 10.0.0.2, 192.168.4.0/24",
        ),
      ),
    "false",
  ),
  METRICS_TOKEN: z.optional(
    z
      .string()
      .check(z.minLength(metricsTokenMinimum, `must be at least ${metricsTokenMinimum} characters long`)),
  ),
});
type Environment = z.infer<typeof Environment>;

type Variable = keyof Environment;

/** What variables are given, and which of these are malformed. */
interface Given {
  readonly given: ReadonlySet<string>;
  readonly malformed: ReadonlySet<string>;
}

/**
 * A variable, the one that it is useless without, and the sentence about it. ADMIN_EMAIL and MAIL_FROM without SMTP_URL do nothing, and
 * harm nothing: an installation that has them so must start after an update as before. The doctor warns of them.
 */
const needed: readonly (readonly [Variable, Variable, string])[] = [
  [
    "SMTP_URL",
    "PUBLIC_URL",
    "SMTP_URL needs PUBLIC_URL: without it the mailed invitation link would point nowhere.",
  ],
  [
    "DATABASE_DIRECT_URL",
    "DATABASE_URL",
    "DATABASE_DIRECT_URL is set without DATABASE_URL, the address that goes through the pooler.",
  ],
  [
    "DATABASE_REPLICA_URL",
    "DATABASE_URL",
    "DATABASE_REPLICA_URL is set without DATABASE_URL, the address of the database that it follows.",
  ],
];

/**
 * What is wrong between variables. Nothing is said of a malformed one, which is named already, and it is not missing either: once it is
 * right, the others may be too.
 */
function crossProblems({ given, malformed }: Given): string[] {
  const isSet = (variable: Variable) => given.has(variable) && !malformed.has(variable);
  const alone = needed.filter(([variable, other]) => isSet(variable) && !given.has(other));
  return [...shopifyProblems(given, isSet), ...alone.map(([, , sentence]) => sentence)];
}

function shopifyProblems(given: Given["given"], isSet: (variable: Variable) => boolean): string[] {
  const problems: string[] = [];
  const token = isSet("SHOPIFY_ACCESS_TOKEN");
  const client = (["SHOPIFY_CLIENT_ID", "SHOPIFY_CLIENT_SECRET"] as const).filter(isSet).length;
  const settings = token || client > 0 || isSet("SHOPIFY_API_URL") || isSet("SHOPIFY_WEBHOOK_SECRET");
  if (!given.has("SHOPIFY_SHOP") && settings) {
    problems.push("SHOPIFY_SHOP is missing, but other SHOPIFY_ variables are set.");
  }
  if (client === 1) problems.push("SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET must be set together.");
  if (isSet("SHOPIFY_SHOP") && !token && client === 0) {
    problems.push("SHOPIFY_SHOP needs SHOPIFY_ACCESS_TOKEN, or SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET.");
  }
  if (token && client > 0) {
    problems.push(
      "Set either SHOPIFY_ACCESS_TOKEN or SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET, not both.",
    );
  }
  return problems;
}

function shopifyOf(env: Environment): ShopifyConfig | null {
  if (env.SHOPIFY_SHOP === undefined) return null;
  const auth: ShopifyAuth =
    env.SHOPIFY_ACCESS_TOKEN !== undefined
      ? { kind: "token", accessToken: env.SHOPIFY_ACCESS_TOKEN }
      : {
          kind: "client-credentials",
          clientId: env.SHOPIFY_CLIENT_ID ?? "",
          clientSecret: env.SHOPIFY_CLIENT_SECRET ?? "",
        };
  return {
    shop: env.SHOPIFY_SHOP,
    apiUrl: env.SHOPIFY_API_URL ?? `https://${env.SHOPIFY_SHOP}`,
    auth,
    webhookSecret: env.SHOPIFY_WEBHOOK_SECRET ?? null,
  };
}

function smtpOf(env: Environment): Config["smtp"] {
  if (env.SMTP_URL === undefined || env.PUBLIC_URL === undefined) return null;
  const from = env.MAIL_FROM ?? `Stocktake <stocktake@${new URL(env.PUBLIC_URL).hostname}>`;
  return { url: env.SMTP_URL, from };
}

/**
 * Reads the environment; an empty value counts as unset.
 * @throws ConfigError naming every bad variable at once.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ""),
  );
  const result = Environment.safeParse(given);
  const issues = result.error?.issues ?? [];
  const problems = [
    ...issues.map(({ path, message }) => `${path.join(".")} ${message}.`),
    ...crossProblems({
      given: new Set(Object.keys(given)),
      malformed: new Set(issues.map(({ path }) => path.join("."))),
    }),
  ];
  if (!result.success || problems.length > 0) throw new ConfigError(problems);
  return configOf(result.data);
}

function configOf(env: Environment): Config {
  return {
    port: Number(env.PORT),
    host: env.HOST,
    publicUrl: env.PUBLIC_URL === undefined ? null : new URL(env.PUBLIC_URL),
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL ?? null,
    databaseDirectUrl: env.DATABASE_DIRECT_URL ?? null,
    databaseReplicaUrl: env.DATABASE_REPLICA_URL ?? null,
    adminPassword: env.ADMIN_PASSWORD ?? null,
    shopify: shopifyOf(env),
    smtp: smtpOf(env),
    adminEmail: env.ADMIN_EMAIL?.trim() ?? null,
    mailFrom: env.MAIL_FROM ?? null,
    logLevel: env.LOG_LEVEL,
    trustProxy: switches.get(env.TRUST_PROXY) ?? listOf(env.TRUST_PROXY),
    metricsToken: env.METRICS_TOKEN ?? null,
  };
}
