import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { linesOf } from "./bulk.ts";
import { collect } from "./testing/collect.ts";

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe("the lines of a stream", () => {
  test("are the same however the bytes are cut", async () => {
    const line = fc
      .string({ unit: "grapheme", minLength: 1 })
      .filter((text) => !text.includes("\n") && !!text.trim());
    await fc.assert(
      fc.asyncProperty(
        fc.array(line),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        async (lines, size, ended) => {
          const text = lines.join("\n") + (ended ? "\n" : "");
          const found = await collect(linesOf(pieces(Buffer.from(text), size)));
          expect(found.flat()).toEqual(lines);
        },
      ),
    );
  });

  test("that are not UTF-8 are an unexpected answer, not replaced letters", async () => {
    const bytes = Uint8Array.from([0x7b, 0xff, 0xfe, 0x0a]);
    await expect(collect(linesOf(pieces(bytes, 2)))).rejects.toMatchObject({ kind: "unexpected-answer" });
  });
});
