import { describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

/** What a start is refused with, problem by problem; nothing where it is not. */
function problemsOf(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe("TRUST_PROXY", () => {
  test.each([
    [undefined, false],
    ["0", false],
    ["true", true],
    ["127.0.0.1", ["127.0.0.1"]],
    ["10.0.0.2, 192.168.4.0/24 ,fd00::/8", ["10.0.0.2", "192.168.4.0/24", "fd00::/8"]],
  ])("%j is %j", (given, read) => {
    expect(readConfig({ TRUST_PROXY: given }).trustProxy).toEqual(read);
  });

  test.each(["yes", "caddy", "10.0.0", "10.0.0.0/33", "10.0.0.2,", "fd00::/129", "10.0.0.0/8/8"])(
    "%j is refused",
    (given) => {
      expect(() => readConfig({ TRUST_PROXY: given })).toThrow(
        /TRUST_PROXY must be true, false, or the addr/,
      );
    },
  );
});

test("METRICS_TOKEN is unset, or long enough not to be guessed", () => {
  expect(readConfig({}).metricsToken).toBeNull();
  expect(() => readConfig({ METRICS_TOKEN: "short" })).toThrow(/METRICS_TOKEN must be at least 16/);
});

test("ADMIN_EMAIL is unset, or one address", () => {
  expect(readConfig({ ADMIN_EMAIL: " " }).adminEmail).toBeNull();
  expect(readConfig({ ADMIN_EMAIL: "owner@example.com" }).adminEmail).toBe("owner@example.com");
  for (const given of ["owner", "a@example.com,b@example.com", "a@example.com\r\nBcc: b@example.com"]) {
    expect(() => readConfig({ ADMIN_EMAIL: given })).toThrow(/ADMIN_EMAIL must be an e-mail address/);
  }
});

test("DATABASE_DIRECT_URL goes with the pooler's address", () => {
  const urls = { DATABASE_URL: "postgres://pooler/stock", DATABASE_DIRECT_URL: "postgres://server/stock" };
  expect(readConfig(urls)).toMatchObject({
    databaseUrl: "postgres://pooler/stock",
    databaseDirectUrl: "postgres://server/stock",
  });
  expect(() => readConfig({ DATABASE_DIRECT_URL: urls.DATABASE_DIRECT_URL })).toThrow(/without DATABASE_URL/);
});

describe("one start names everything that is bad", () => {
  const badPort = { PORT: "http" };
  const ofPort = "PORT must be a port number, 0 to 65535.";

  test.each<readonly [NodeJS.ProcessEnv, string]>([
    [{ SHOPIFY_CLIENT_ID: "id", SHOPIFY_SHOP: "brand.myshopify.com" }, "must be set together"],
    [{ SHOPIFY_ACCESS_TOKEN: "token" }, "SHOPIFY_SHOP is missing"],
    [{ SHOPIFY_SHOP: "brand.myshopify.com" }, "SHOPIFY_SHOP needs SHOPIFY_ACCESS_TOKEN"],
    [
      {
        ...{ SHOPIFY_SHOP: "brand.myshopify.com", SHOPIFY_ACCESS_TOKEN: "token" },
        ...{ SHOPIFY_CLIENT_ID: "id", SHOPIFY_CLIENT_SECRET: "secret" },
      },
      "not both",
    ],
    [{ SMTP_URL: "smtps://mail.example.com" }, "SMTP_URL needs PUBLIC_URL"],
    [{ DATABASE_DIRECT_URL: "postgres://server/stock" }, "without DATABASE_URL"],
  ])("%j, alone and beside a malformed variable", (given, problem) => {
    expect(problemsOf(given)).toEqual([expect.stringContaining(problem)]);
    expect(problemsOf({ ...badPort, ...given })).toEqual([ofPort, expect.stringContaining(problem)]);
  });

  test.each<readonly [NodeJS.ProcessEnv, string]>([
    [
      { SHOPIFY_SHOP: "https://brand", SHOPIFY_ACCESS_TOKEN: "token" },
      "SHOPIFY_SHOP must be the shop's domain",
    ],
    [{ SHOPIFY_SHOP: "https://brand" }, "SHOPIFY_SHOP must be the shop's domain"],
    [{ SHOPIFY_API_URL: "none" }, "SHOPIFY_API_URL must be an http or https URL"],
    [{ SMTP_URL: "none" }, "SMTP_URL must be an smtp:// or smtps:// URL"],
    [{ SMTP_URL: "smtps://mail.example.com", PUBLIC_URL: "none" }, "PUBLIC_URL must be an http or https URL"],
    [
      { DATABASE_URL: "none", DATABASE_DIRECT_URL: "postgres://server/stock" },
      "DATABASE_URL must be a postgres:// URL",
    ],
    [{ DATABASE_DIRECT_URL: "none" }, "DATABASE_DIRECT_URL must be a postgres:// URL"],
    [
      { SMTP_URL: "none", ADMIN_EMAIL: "owner@example.com", MAIL_FROM: "stock@example.com" },
      "SMTP_URL must be an smtp:// or smtps:// URL",
    ],
    [{ ADMIN_EMAIL: "owner" }, "ADMIN_EMAIL must be an e-mail address"],
  ])("%j is named once, for what is malformed", (given, problem) => {
    expect(problemsOf(given)).toEqual([expect.stringContaining(problem)]);
  });
});
