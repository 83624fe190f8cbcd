import { describe, expect, it, vi } from "vitest";
import { createRepeatFilter } from "./repeat-filter.ts";
import { expandUpcE, typedCode } from "./upc-e.ts";
import { openCamera, problemOf } from "./use-camera.ts";

describe("codes in view", () => {
  it("a label that is held in the picture counts once", () => {
    const repeats = createRepeatFilter();
    const counted = [0, 120, 240, 360, 900, 1_500].map((at) => repeats.filter(["4006381333931"], at).length);
    expect(counted).toEqual([1, 0, 0, 0, 0, 0]);
  });

  it("a label that is held counts once however long a slow phone takes to read each picture", () => {
    const repeats = createRepeatFilter();
    const counted = [0, 900, 1_900, 4_000].map((at) => repeats.filter(["4006381333931"], at).length);
    expect(counted).toEqual([1, 0, 0, 0]);
    expect(repeats.filter([], 5_000)).toEqual([]);
    expect(repeats.filter(["4006381333931"], 6_000)).toEqual(["4006381333931"]);
  });

  it("a blurred picture in between does not count it again, leaving the picture does", () => {
    const repeats = createRepeatFilter();
    expect(repeats.filter(["one"], 0)).toEqual(["one"]);
    expect(repeats.filter([], 300)).toEqual([]);
    expect(repeats.filter(["one"], 600)).toEqual([]);
    expect(repeats.filter([], 1_200)).toEqual([]);
    expect(repeats.filter(["one"], 1_400)).toEqual(["one"]);
  });

  it("is gone after 700 ms without it, not before", () => {
    const repeats = createRepeatFilter();
    repeats.filter(["one"], 0);
    repeats.filter([], 600);
    expect(repeats.filter(["one"], 700)).toEqual([]);
    repeats.filter([], 1_300);
    expect(repeats.filter(["one"], 1_401)).toEqual(["one"]);
  });

  it("two labels in one picture are two codes", () => {
    expect(createRepeatFilter().filter(["one", "two", "one"], 0)).toEqual(["one", "two"]);
  });
});

describe("UPC-E", () => {
  it.each([
    ["01234505", "012000003455"],
    ["01234521", "012200003451"],
    ["01234531", "012300000451"],
    ["01234543", "012340000053"],
    ["01234565", "012345000065"],
  ])("%s abbreviates %s", (short, long) => {
    expect(expandUpcE(short)).toBe(long);
  });

  it("what is no UPC-E stays as it is", () => {
    for (const code of ["96385074", "0123450", "012345051", "x01234505", "01234505x"]) {
      expect(expandUpcE(code)).toBe(code);
    }
  });
});

describe("a barcode that was seen", () => {
  it("goes as it is, but for UPC-E, which goes as what it abbreviates", () => {
    expect(typedCode({ format: "upc_e", rawValue: "01234505" })).toBe("012000003455");
    expect(typedCode({ format: "ean_8", rawValue: "01234505" })).toBe("01234505");
  });
});

describe("the camera", () => {
  it.each([
    ["NotAllowedError", "forbidden"],
    ["NotFoundError", "missing"],
    ["NotReadableError", "busy"],
    ["TypeError", "failed"],
  ])("%s is told apart as %s", (name, problem) => {
    expect(problemOf(Object.assign(new Error("refused"), { name }))).toBe(problem);
  });

  it("asks for the one on the back, and lights its torch where it has one", async () => {
    const applyConstraints = vi.fn(async () => {});
    const stop = vi.fn();
    const track = { getCapabilities: () => ({ torch: true }), applyConstraints, stop };
    const stream = { getVideoTracks: () => [track], getTracks: () => [track] };
    const getUserMedia = vi.fn().mockResolvedValue(stream);
    const camera = await openCamera({ getUserMedia });
    expect(getUserMedia.mock.calls[0]?.[0]).toMatchObject({
      audio: false,
      video: { facingMode: { ideal: "environment" } },
    });
    await camera.setTorch?.(true);
    expect(applyConstraints).toHaveBeenCalledWith({ advanced: [{ torch: true }] });
    camera.stop();
    expect(stop).toHaveBeenCalled();
  });
});
