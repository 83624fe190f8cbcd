import { describe, expect, test } from "vitest";
import { sizeOf } from "./size-option.ts";

describe("the size of a variant", () => {
  test.each([
    ["Size", "M"],
    ["size", "M"],
    ["Größe", "M"],
    ["Gro\u0308ße", "M"],
    ["TAILLE", "M"],
    ["Shoe size (EU)", "M"],
    ["サイズ", "M"],
  ])("is the value of the option %s", (name, value) => {
    const options = [
      { name: "Colour", value: "Ink" },
      { name, value },
    ];
    expect(sizeOf(options, "Ink / M")).toBe(value);
  });

  test("is the variant's title where no option is named for size", () => {
    expect(sizeOf([{ name: "Oversized fit", value: "yes" }], "Ink")).toBe("Ink");
  });

  test("is unknown for a product without options", () => {
    expect(sizeOf([{ name: "Title", value: "Default Title" }], "Default Title")).toBeNull();
  });
});
