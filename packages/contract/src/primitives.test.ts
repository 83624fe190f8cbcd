import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { createAreas } from "./calls/areas.ts";
import { postScan } from "./calls/scanning.ts";
import { createStore } from "./calls/stores.ts";
import { IdInput, NumericIdInput } from "./primitives.ts";
import { optionalParagraphs } from "./text.ts";

const id = "7d444840-9dc0-41d1-b245-5ffdce74fad2";

describe("ids of requests", () => {
  it("keep what is well-formed", () => {
    expect(z.parse(IdInput, id)).toBe(id);
    expect(z.parse(NumericIdInput, "42")).toBe(42);
  });

  it("name nothing when malformed, and are refused when missing or not text", () => {
    expect(z.parse(IdInput, "x'; drop table scans")).toBe("00000000-0000-0000-0000-000000000000");
    expect(z.parse(NumericIdInput, "1e3")).toBe(0);
    for (const value of [undefined, null, 7, {}, []]) expect(z.safeParse(IdInput, value).success).toBe(false);
  });
});

describe("text of requests", () => {
  it("is trimmed and must not be blank, too long or hold what can't be stored", () => {
    const store = (name: unknown) => z.safeParse(createStore.body, { name, shopifyLocationId: "gid" });
    expect(store("  Oslo ").data?.name).toBe("Oslo");
    for (const name of ["", "   ", "n".repeat(101), "a\u0000b", 5, null, undefined]) {
      expect(store(name).success, JSON.stringify(name)).toBe(false);
    }
  });

  it("that names something is taken as people see it", () => {
    const areas = (code: string, name: string) =>
      z.safeParse(createAreas.body, { areas: [{ code, name }] }).data?.areas;
    expect(areas("A\u200b1", "Front\u202e")).toEqual([{ code: "A1", name: "Front" }]);
    expect(areas("A1", "\u200b")).toEqual([{ code: "A1", name: "" }]);
    for (const code of ["\u200b", ".", "..", "\u200b..", "a\u0007"])
      expect(areas(code, "Front")).toBeUndefined();
  });

  it("may be absent, null or blank where it is optional", () => {
    const Reason = z.object({ reason: optionalParagraphs("Reason", 500) });
    for (const value of [{}, { reason: null }, { reason: "" }])
      expect(z.safeParse(Reason, value).success).toBe(true);
  });
});

describe("a scan's payload", () => {
  const payload = {
    sessionId: id,
    storeId: id,
    locationId: id,
    areaCode: "A1",
    input: "123",
    inputType: "barcode",
    deviceId: "device-1",
    seq: 1,
  };
  const parse = (change: object) => z.safeParse(postScan.body, { ...payload, ...change });

  it("is right as the specification makes it, and counts as scanned where method is not said", () => {
    expect(parse({}).data?.method).toBe("scan");
  });

  it("is refused with a sequence number that is not a whole number from 1", () => {
    for (const seq of [0, -1, 1.5, "1", Number.MAX_SAFE_INTEGER + 1, Number.NaN, null]) {
      expect(parse({ seq }).success, String(seq)).toBe(false);
    }
  });

  it("takes any offset in scannedAt and refuses what is no time", () => {
    expect(parse({ scannedAt: "2026-11-20T10:00:00+01:00" }).success).toBe(true);
    expect(parse({ scannedAt: "yesterday" }).success).toBe(false);
  });
});
