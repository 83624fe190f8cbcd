import { limits } from "@stocktake/contract";
import { describe, expect, it } from "vitest";
import { isCharacter } from "./keys.ts";
import { cleanCode, createBurstDetector } from "./keystrokes.ts";

describe("keystrokes", () => {
  const key = (name: string) => ({ key: name, ctrlKey: false, altKey: false, metaKey: false });

  it("a code loses control characters and blanks around it, and is no longer than a SKU", () => {
    expect(cleanCode(" \u001d0104006381333931\u001d ")).toBe("0104006381333931");
    expect(cleanCode("\u001f40\u007f06 38\u0000")).toBe("4006 38");
    expect(cleanCode("x".repeat(400))).toHaveLength(limits.sku);
    expect(cleanCode("🧵".repeat(400))).toBe("🧵".repeat(limits.sku));
  });

  it.each(["400638", "2060"])("a burst of keys and Enter is a scanner's: %s", (code) => {
    const detector = createBurstDetector();
    const ends = [...code].map((name, index) => detector.add(key(name), index));
    expect(ends).toEqual([...code].map(() => null));
    expect(detector.add(key("Enter"), code.length)).toBe(code);
  });

  it("a key writes a character where it is one, emoji too, and nothing is held with it", () => {
    const held = (name: string, modifier: object) => isCharacter({ ...key(name), ...modifier });
    expect([key("4"), key("🧵"), key("Shift"), key("Enter")].map(isCharacter)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([{ ctrlKey: true }, { altKey: true }, { metaKey: true }].map((one) => held("c", one))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("a burst may have a shift key in it, 35 ms between its keys, and a Tab at its end", () => {
    const detector = createBurstDetector();
    const send = (names: readonly string[], from: number) =>
      names.map((name, index) => detector.add(key(name), from + index * 35)).at(-1);
    expect(send(["a", "Shift", "B", "c", "d", "Tab"], 0)).toBe("aBcd");
    expect(send(["1", "2", "3", "4", "Enter"], 10_000)).toBe("1234");
    expect(send(["1", "2", "3", "4", "ArrowUp"], 20_000)).toBeNull();
  });

  it.each([
    ["Enter", "Enter"],
    ["Tab", "Enter"],
    ["Enter", "Tab", "Enter"],
  ])("what a scanner sends behind the suffix of a burst is no key of a person's: %s %s", (...suffixes) => {
    const detector = createBurstDetector();
    for (const [index, name] of [..."4006"].entries()) detector.add(key(name), index);
    const ends = suffixes.map((name, index) => detector.add(key(name), 10 + index * 400));
    expect(ends).toEqual(["4006", ...suffixes.slice(1).map(() => "")]);
  });

  it("a suffix that comes after a pause, or after another key, is a person's", () => {
    const detector = createBurstDetector();
    const scan = (at: number) => [..."4006"].map((name) => detector.add(key(name), at));
    scan(0);
    expect([detector.add(key("Enter"), 10), detector.add(key("Enter"), 511)]).toEqual(["4006", null]);
    scan(1_000);
    expect(detector.add(key("Enter"), 1_010)).toBe("4006");
    detector.add(key("7"), 1_200);
    expect(detector.add(key("Enter"), 1_300)).toBeNull();
  });

  it("a suffix that comes late ends no burst", () => {
    const detector = createBurstDetector();
    for (const [index, name] of [..."1234"].entries()) detector.add(key(name), index);
    expect(detector.add(key("Enter"), 3 + 501)).toBeNull();
  });

  it.each([
    ["9", 200, "20607"],
    ["29000002", 80, "06076"],
    ["29000002060", 500, "76"],
    ["2900000206076", 400, ""],
  ])(
    "a burst that stalls after %s for %i ms is one all the same, and no code of its rest %s",
    (begin, stall, rest) => {
      const detector = createBurstDetector();
      const send = (text: string, from: number) => {
        for (const [index, name] of [...text].entries()) detector.add(key(name), from + index);
      };
      send(begin, 0);
      send(rest, begin.length - 1 + stall);
      expect(detector.add(key("Enter"), begin.length - 1 + stall + rest.length)).toBe(begin + rest);
    },
  );

  it("what a person typed before it is no part of a burst, nor is a burst that was left in the field", () => {
    for (const before of ["12", "1234"]) {
      const detector = createBurstDetector();
      for (const [index, name] of [...before].entries()) detector.add(key(name), index);
      for (const [index, name] of [..."56789"].entries()) detector.add(key(name), 1_000 + index);
      expect(detector.add(key("Enter"), 1_005)).toBe("56789");
      detector.add(key("7"), 1_100);
      expect(detector.add(key("Enter"), 1_101)).toBeNull();
    }
  });

  it("a person's typing is not, however long", () => {
    const detector = createBurstDetector();
    for (const [index, name] of [..."123456789"].entries()) detector.add(key(name), index * 120);
    expect(detector.add(key("Enter"), 1_100)).toBeNull();
  });

  it("a few digits typed fast are not, nor is a total that a quick hand declares", () => {
    const hands = [
      { typed: "123", gap: 1 },
      { typed: "1234", gap: 60 },
    ];
    for (const { typed, gap } of hands) {
      const detector = createBurstDetector();
      for (const [index, name] of [...typed].entries()) detector.add(key(name), index * gap);
      expect(detector.add(key("Enter"), typed.length * gap)).toBeNull();
    }
  });
});
