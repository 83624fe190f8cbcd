import { describe, expect, test } from "vitest";
import { type Checked, checkConfiguration } from "./check-configuration.ts";
import { checkDisk } from "./check-disk.ts";
import { bytesText } from "./formats.ts";

const complete: Checked = {
  publicUrl: new URL("https://stock.example.com"),
  trustProxy: ["127.0.0.1"],
  host: "127.0.0.1",
  shopify: {
    shop: "brand.myshopify.com",
    apiUrl: "https://brand.myshopify.com",
    auth: { kind: "client-credentials", clientId: "id", clientSecret: "secret" },
    webhookSecret: null,
  },
};

describe("the configuration", () => {
  test("that is complete has no warnings", () => {
    expect(checkConfiguration(complete, 1000)).toEqual([
      { check: "configuration", status: "ok", message: "The configuration is complete.", advice: null },
    ]);
  });

  test.each<[string, Partial<Checked>, number, RegExp]>([
    ["without PUBLIC_URL", { publicUrl: null }, 1000, /PUBLIC_URL is not set/],
    ["over plain http", { publicUrl: new URL("http://10.0.0.7:3000"), trustProxy: false }, 1000, /not https/],
    ["behind an unknown proxy", { trustProxy: false }, 1000, /TRUST_PROXY is not set/],
    ["believing everybody who reaches it", { trustProxy: true, host: "0.0.0.0" }, 1000, /believes whoever/],
    [
      "sending the token readable",
      { shopify: complete.shopify && { ...complete.shopify, apiUrl: "http://proxy.example" } },
      1000,
      /token travels to proxy\.example/,
    ],
    ["as root", {}, 0, /runs as root/],
  ])("%s is warned of, with what to do", (_what, change, uid, words) => {
    const findings = checkConfiguration({ ...complete, ...change }, uid);
    expect(findings).toEqual([
      {
        check: "configuration",
        status: "warning",
        message: expect.stringMatching(words),
        advice: expect.any(String),
      },
    ]);
  });
});

describe("the disk", () => {
  const mebibyte = 2 ** 20;
  const room = (free: number, ffree = 1_000_000) =>
    checkDisk({ databaseUrl: null, dataDir: "/data" }, async () => ({
      bsize: 4096,
      bavail: free / 4096,
      ffree,
      files: 2_000_000,
    }));

  test.each([
    [255 * mebibyte, "failed"],
    [256 * mebibyte, "warning"],
    [2047 * mebibyte, "warning"],
    [2048 * mebibyte, "ok"],
  ])("with %i bytes free is %s", async (free, status) => {
    expect(await room(free)).toMatchObject({ check: "disk", status });
  });

  test("is full too where no more files fit", async () => {
    expect(await room(9_000 * mebibyte, 12)).toMatchObject({ status: "failed" });
  });

  test("of a folder that is not there can't be read", async () => {
    const config = { databaseUrl: null, dataDir: "/nowhere/at/all" };
    expect(await checkDisk(config)).toMatchObject({
      status: "failed",
      message: expect.stringContaining("ENOENT"),
    });
  });

  test("of a database elsewhere is another machine's", async () => {
    const config = { databaseUrl: "postgres://db.example/stock", dataDir: "/data" };
    expect(await checkDisk(config)).toMatchObject({ status: "not_configured" });
  });
});

test.each([
  [0, "0 bytes"],
  [1023, "1023 bytes"],
  [1536, "1.5 KiB"],
  [150 * 2 ** 20, "150 MiB"],
  [3 * 2 ** 40, "3.0 TiB"],
])("%i bytes are %s", (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
