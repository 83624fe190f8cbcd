import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asGtin14 } from "./gtin.ts";
import { readTag } from "./tags.ts";

/** Digits of the company prefix, by partition value: the other way round than the product's table has it. */
const prefixDigits = [12, 11, 10, 9, 8, 7, 6];
const prefixBits = [40, 37, 34, 30, 27, 24, 20];

/** Encodes as GS1 writes it down (TDS 1.13, 14.3): a text of ones and zeros, field after field. */
function encode({ gtin, serial, partition, filter }: Encodable): string {
  const digits = prefixDigits[partition] ?? 0;
  const bits = prefixBits[partition] ?? 0;
  const company = gtin.slice(1, 1 + digits);
  const item = `${gtin.slice(0, 1)}${gtin.slice(1 + digits, 13)}`;
  const binary = (value: bigint | number, size: number) => value.toString(2).padStart(size, "0");
  const all = [
    binary(0x30, 8),
    binary(filter, 3),
    binary(partition, 3),
    binary(BigInt(company), bits),
    binary(BigInt(item), 44 - bits),
    binary(serial, 38),
  ].join("");
  return BigInt(`0b${all}`).toString(16).toUpperCase().padStart(24, "0");
}

interface Encodable {
  readonly gtin: string;
  readonly serial: bigint;
  readonly partition: number;
  readonly filter: number;
}

function withCheckDigit(digits: string): string {
  return Array.from({ length: 10 }, (_each, last) => `${digits}${last}`).find((gtin) => asGtin14(gtin)) ?? "";
}

const encodable = fc.record({
  gtin: fc.nat({ max: 9_999_999_999_999 }).map((number) => withCheckDigit(String(number).padStart(13, "0"))),
  serial: fc.bigInt({ min: 0n, max: 2n ** 38n - 1n }),
  partition: fc.nat({ max: 6 }),
  filter: fc.nat({ max: 7 }),
});

describe("SGTIN-96", () => {
  test("the example of GS1's Tag Data Standard (appendix E, GTIN 80614141123458, serial 6789) is read", () => {
    const tag = { key: "80614141123458.6789", gtin: "80614141123458", serial: "6789" };
    expect(readTag("3074257BF7194E4000001A85")).toEqual(tag);
    expect(readTag(" 3074257bf7194e4000001a85 ")).toEqual(tag);
  });

  test("whatever was encoded is read again, in any case, and named the same under any filter", () => {
    fc.assert(
      fc.property(encodable, fc.nat({ max: 7 }), (item, otherFilter) => {
        const { gtin, serial } = item;
        const expected = { key: `${gtin}.${serial}`, gtin, serial: String(serial) };
        expect(readTag(encode(item))).toEqual(expected);
        expect(readTag(encode({ ...item, filter: otherFilter }).toLowerCase())).toEqual(expected);
      }),
    );
  });

  test("what is read is encoded to the same digits", () => {
    const hexDigits = fc.array(fc.constantFrom(..."0123456789ABCDEF"), { minLength: 22, maxLength: 22 });
    fc.assert(
      fc.property(hexDigits, (rest) => {
        const epc = `30${rest.join("")}`;
        const tag = readTag(epc);
        if (tag === null) return;
        const header = BigInt(`0x${epc}`) >> 82n;
        const [filter, partition] = [Number((header >> 3n) & 7n), Number(header & 7n)];
        expect(encode({ gtin: tag.gtin, serial: BigInt(tag.serial), partition, filter })).toBe(epc);
        expect(asGtin14(tag.gtin)).toBe(tag.gtin);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["another length", "3074257BF7194E4000001A8"],
    ["another header", "3174257BF7194E4000001A85"],
    ["no hexadecimal digits", "3074257BF7194E4000001A8G"],
    ["the partition that is not assigned", "301C00000000000000000001"],
    ["a company prefix of more digits than its partition has", "3017FFFFFC00004000000001"],
    ["an item reference of more digits than its partition has", "3014000003FFFFC000000001"],
    ["a barcode", "4006381333931"],
    ["nothing", ""],
  ])("%s is none", (_what, code) => {
    expect(readTag(code)).toBeNull();
  });
});
