import fc from "fast-check";
import { expect, test } from "vitest";
import { PackedTexts } from "./packed-texts.ts";

function packed(texts: readonly string[]): PackedTexts {
  const all = new PackedTexts();
  expect(texts.map((text) => all.add(text))).toEqual([...texts.keys()]);
  return all;
}

test("texts read back by their numbers, whatever they hold", () => {
  const word = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", "\n", "\0", "Größe", "חולצה 👕"));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
      const texts = Array.from({ length: 1_100 }, (_none, number) => words[number % words.length] ?? "");
      const all = packed(texts);
      expect(all.length).toBe(texts.length);
      expect(texts.map((_text, number) => all.at(number))).toEqual(texts);
    }),
    { numRuns: 20 },
  );
});

test("half a surrogate pair stays a character of its own, beside the other half too", () => {
  const all = packed(
    Array.from({ length: 2_000 }, (_none, number) => (number % 2 === 0 ? "a\ud83d" : "\udc55b")),
  );
  expect([all.at(0), all.at(1)]).toEqual(["a\ufffd", "\ufffdb"]);
});

test("a number that no text has is refused", () => {
  const all = packed(["one"]);
  expect(() => all.at(1)).toThrow(RangeError);
  expect(() => all.at(-1)).toThrow(RangeError);
  expect(() => packed([]).at(0)).toThrow("no text 0 of 0");
});
