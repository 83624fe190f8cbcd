import { indexPacks, indexProducts, limits, type Product } from "@stocktake/contract";
import { describe, expect, it, vi } from "vitest";
import { createDebounce } from "./debounce.ts";
import { clampVolume, createSounds, defaultAudioSettings } from "./feedback.ts";
import { interpret, type KnownCodes } from "./interpret.ts";
import { isCharacter } from "./keys.ts";
import { cleanCode, createBurstDetector } from "./keystrokes.ts";

describe("the debounce", () => {
  it("takes a scan 1000 ms after the last one that was taken, not one millisecond before", () => {
    const debounce = createDebounce();
    expect([0, 999, 1_000, 1_500, 2_000].map((at) => debounce.accept("code", at, "any"))).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
  });

  it("takes no other code within the second either, unless it is narrowed to the same", () => {
    const debounce = createDebounce();
    expect(debounce.accept("one", 0, "any")).toBe(true);
    expect(debounce.accept("two", 10, "any")).toBe(false);
  });

  it("narrowed to the same code, lets another code through at once", () => {
    const debounce = createDebounce();
    expect(debounce.accept("one", 0, "same_code")).toBe(true);
    expect(debounce.accept("two", 10, "same_code")).toBe(true);
    expect(debounce.accept("two", 20, "same_code")).toBe(false);
    expect(debounce.accept("two", 1_010, "same_code")).toBe(true);
  });
});

describe("what is sent for a code", () => {
  const pack = { code: "5012345678900", sku: "SKU-1", units: 12 };
  const read = (index: KnownCodes["index"], code: string) =>
    interpret({ index, packs: indexPacks([pack]) }, code);
  const product = (sku: string, barcode: string | null): Product => ({
    ...{ sku, barcode, productTitle: sku, size: null, image: null, storeId: "s1" },
  });
  const index = indexProducts([
    product("SKU-1", "4006381333931"),
    product("SKU-2-9876", "TWIN"),
    product("SKU-3", "TWIN"),
  ]);

  it("an exact barcode goes as it was read", () => {
    expect(read(index, "04006381333931")).toMatchObject({
      kind: "product",
      sent: { input: "04006381333931", inputType: "barcode" },
    });
  });

  it("what was found by SKU or short code goes as the full SKU [spec:5.scan.matching]", () => {
    expect(read(index, "SKU-1")).toMatchObject({ sent: { input: "SKU-1", inputType: "sku" } });
    expect(read(index, "9876")).toMatchObject({ sent: { input: "SKU-2-9876", inputType: "sku" } });
  });

  it("a SKU of Shopify's longest is found and goes whole, and so does an unknown code of that length", () => {
    const longest = "🧵".repeat(255);
    const found = read(indexProducts([product(longest, null)]), cleanCode(longest));
    expect(found).toMatchObject({ kind: "product", sent: { input: longest, inputType: "sku" } });
    const asSku = { input: longest, inputType: "sku" };
    expect(read(index, cleanCode(longest))).toMatchObject({ kind: "unknown", sent: asSku });
    const asBarcode = { input: "🧵".repeat(limits.scanInput), inputType: "barcode" };
    expect(read(index, asBarcode.input)).toMatchObject({ kind: "unknown", sent: asBarcode });
    const most = "B".repeat(limits.scanInput);
    expect(read(indexProducts([product("SKU-4", most)]), most)).toMatchObject({
      sent: { input: most, inputType: "barcode" },
    });
    const barcode = "B".repeat(limits.scanInput + 1);
    expect(read(indexProducts([product("SKU-4", barcode)]), barcode)).toMatchObject({
      sent: { input: "SKU-4", inputType: "sku" },
    });
  });

  it("a barcode that several products carry is asked about", () => {
    expect(read(index, "TWIN")).toMatchObject({
      kind: "choose",
      products: [{ sku: "SKU-2-9876" }, { sku: "SKU-3" }],
    });
  });

  it("S35: a pack's code goes as it was read, with the units that are shown for it", () => {
    expect(read(index, pack.code)).toMatchObject({
      ...{ kind: "product", product: { sku: "SKU-1" }, packUnits: 12 },
      sent: { input: pack.code, inputType: "barcode" },
    });
  });

  it("an unknown code goes as it was read", () => {
    expect(read(index, "?")).toMatchObject({ kind: "unknown", sent: { input: "?", inputType: "barcode" } });
  });
});

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

describe("sounds", () => {
  function stubAudio() {
    const frequencies: number[] = [];
    const volumes: number[] = [];
    const node = () => ({ connect: () => undefined, start: () => undefined, stop: () => undefined });
    class StubContext {
      state = "running";
      currentTime = 0;
      destination = {};
      createOscillator() {
        const frequency = {
          set value(hertz: number) {
            frequencies.push(hertz);
          },
        };
        return { ...node(), type: "sine", frequency };
      }
      createGain() {
        const gain = {
          setValueAtTime: (value: number) => volumes.push(value),
          linearRampToValueAtTime: () => {},
        };
        return { ...node(), gain };
      }
      close() {
        return Promise.resolve();
      }
    }
    vi.stubGlobal("AudioContext", StubContext);
    return { frequencies, volumes };
  }

  const names = ["beep", "buzz", "chime", "fanfare", "alarm", "miss", "knock", "call"] as const;

  it("beep, buzz, chime, fanfare and the miss of an ignored scan all differ [spec:9.sounds]", () => {
    const { frequencies } = stubAudio();
    const sounds = createSounds();
    const heard = names.map((name) => {
      frequencies.length = 0;
      sounds.play(name, defaultAudioSettings);
      return frequencies.join();
    });
    expect(new Set(heard).size).toBe(names.length);
    expect(heard).not.toContain("");
  });

  it("the audio hardware is opened once, before the first sound where that is prepared", () => {
    const opened = vi.fn();
    void stubAudio();
    const Stub = globalThis.AudioContext;
    vi.stubGlobal(
      "AudioContext",
      class extends Stub {
        constructor() {
          super();
          opened();
        }
      },
    );
    const sounds = createSounds();
    sounds.prepare();
    expect(opened).toHaveBeenCalledTimes(1);
    sounds.play("beep", defaultAudioSettings);
    expect(opened).toHaveBeenCalledTimes(1);
  });

  it("switched off, nothing sounds", () => {
    const { frequencies } = stubAudio();
    createSounds().play("beep", { enabled: false, volume: 1 });
    expect(frequencies).toEqual([]);
  });

  it("the volume is 0.7 at first and stays between 0 and 1 [spec:3.audio]", () => {
    expect(defaultAudioSettings).toEqual({ enabled: true, volume: 0.7 });
    expect([-1, 0.4, 7, Number.NaN].map(clampVolume)).toEqual([0, 0.4, 1, 0.7]);
  });

  it("audio hardware that cannot be had is silence too: what is shown goes on", () => {
    const report = vi.fn();
    vi.stubGlobal("reportError", report);
    vi.stubGlobal(
      "AudioContext",
      class {
        constructor() {
          throw new DOMException("No hardware contexts are left.", "NotSupportedError");
        }
      },
    );
    expect(() => createSounds().play("buzz", defaultAudioSettings)).not.toThrow();
    expect(report).toHaveBeenCalledTimes(1);
  });

  it("without Web Audio there is silence, not an error", () => {
    vi.stubGlobal("AudioContext", undefined);
    expect(() => createSounds().play("buzz", defaultAudioSettings)).not.toThrow();
  });
});
