import { describe, expect, test } from "vitest";
import { readConfig } from "./config.ts";

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
