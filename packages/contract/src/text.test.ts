import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { limits } from "./limits.ts";
import {
  characterCount,
  isTooLong,
  lengthProblem,
  NewPassword,
  optionalLine,
  optionalParagraphs,
  requiredKey,
  requiredName,
  scannedCode,
  visibleCode,
  visibleName,
} from "./text.ts";

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

describe("a length", () => {
  it("is counted in characters, on both sides alike", () => {
    expect(characterCount("Tee 👕")).toBe(5);
    const name = requiredName("Name");
    expect(z.safeParse(name, "👕".repeat(100)).success).toBe(true);
    const tooLong = "👕".repeat(101);
    const [issue] = z.safeParse(name, tooLong).error?.issues ?? [];
    expect(issue?.message).toBe(lengthProblem("Name", tooLong, 100));
    expect(lengthProblem("Name", "👕".repeat(100), 100)).toBeNull();
  });

  it("that is too great is told apart from every other problem of a text", () => {
    const tooLong = (text: string) => (z.safeParse(NewPassword, text).error?.issues ?? []).map(isTooLong);
    expect(tooLong("x".repeat(limits.passwordMaximum + 1))).toEqual([true]);
    expect(tooLong("x")).toEqual([false]);
    expect(tooLong("passwor\u0000")).toEqual([false]);
  });

  it("is part of the call's description", () => {
    expect(z.toJSONSchema(NewPassword, { io: "input" })).toMatchObject({ minLength: 6, maxLength: 200 });
  });
});

describe("a line", () => {
  it("is one line without controls of direction", () => {
    expect(z.parse(optionalLine("Actor", 20), " A\r\nda\u202e ")).toBe("A da");
    expect(visibleName("Main\n floor")).toBe("Main floor");
  });
});

describe("paragraphs", () => {
  it("keep their lines and lose controls of direction", () => {
    expect(z.parse(optionalParagraphs("Reason", 20), " Found\n\u202ebehind ")).toBe("Found\nbehind");
  });
});

describe("a key", () => {
  it("is trimmed and otherwise left as it is stored", () => {
    expect(z.parse(requiredKey("SKU", 20), " A\u202e1 ")).toBe("A\u202e1");
  });
});

describe("text that can't be stored", () => {
  it("is refused, whichever reader reads it", () => {
    for (const bad of ["a\u0000b", "a\u0007b", "a\ud800b", "a\u007fb"]) {
      for (const reader of [requiredName("Name"), requiredKey("SKU", 20), optionalParagraphs("Reason", 20)])
        expect(z.safeParse(reader, bad).success, JSON.stringify(bad)).toBe(false);
    }
  });
});

describe("a scanned code", () => {
  it("loses what surrounds it and what nobody sees", () => {
    expect(scannedCode(" \u202d036000291452\u202c\t")).toBe("036000291452");
  });
});
