import { indexPacks, indexProducts, limits, type Product } from "@stocktake/contract";
import { describe, expect, it, vi } from "vitest";
import { createDebounce } from "./debounce.ts";
import { clampVolume, createSounds, defaultAudioSettings } from "./feedback.ts";
import { interpret, type KnownCodes } from "./interpret.ts";
import { cleanCode } from "./keystrokes.ts";

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

  it("takes a scan at once after one that came to nothing, but not after another that was taken since", () => {
    const debounce = createDebounce();
    debounce.forget("one", 0);
    debounce.accept("one", 0, "any");
    debounce.forget("one", 0);
    expect(debounce.accept("one", 10, "any")).toBe(true);
    debounce.forget("one", 0);
    debounce.forget("two", 10);
    expect(debounce.accept("one", 20, "any")).toBe(false);
    debounce.forget("one", 10);
    expect(debounce.accept("two", 20, "any")).toBe(true);
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
