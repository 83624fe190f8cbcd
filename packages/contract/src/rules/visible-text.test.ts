import { describe, expect, it } from "vitest";
import { visibleCode, visibleName } from "./visible-text.ts";

describe("a name", () => {
  it("loses what nobody sees, and marks that turn the text after it", () => {
    expect(visibleName(" \u200bMa\u00adin\u2060 floor\ufeff ")).toBe("Main floor");
    expect(visibleName("Oslo\u202e\u2066 1")).toBe("Oslo 1");
    expect(visibleName("Cafe\u0301")).toBe("Café");
  });

  it("keeps what right-to-left text, joined scripts and emoji are written with", () => {
    for (const name of ["מחסן ראשי", "کتاب\u200cخانه", "Shop 👨\u200d👩\u200d👧", "❤\ufe0f", "क्\u200dष"]) {
      expect(visibleName(name)).toBe(name);
    }
  });

  it("is empty where there is nothing to see", () => {
    for (const name of ["\u200b", " \u200d ", "\u3164", "\u202e\u2069"]) expect(visibleName(name)).toBe("");
  });
});

describe("a code", () => {
  it("is what can be read off a label and typed again", () => {
    expect(visibleCode("A\u200b1")).toBe("A1");
    expect(visibleCode("A\u200d1\ufe0f")).toBe("A1");
    expect(visibleCode("\tA\u00a0 1\u2009")).toBe("A 1");
    expect(visibleCode("א\u200f1")).toBe("א1");
  });
});
