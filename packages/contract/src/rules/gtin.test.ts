import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asGtin14, barcodeKey } from "./gtin.ts";

/** Appends the check digit that makes a body a GTIN, reckoned the textbook way: from the right, 3 and 1 in turn. */
function withCheckDigit(body: string): string {
  const sum = [...body]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

describe("GTINs", () => {
  it("accepts the codes on real packages", () => {
    expect(asGtin14("4006381333931")).toBe("04006381333931");
    expect(asGtin14("036000291452")).toBe("00036000291452");
    expect(asGtin14("00018999")).toBe("00000000018999");
  });

  it("refuses other lengths, letters and wrong check digits", () => {
    for (const code of [
      "001151",
      "400638133393",
      "4006381333930",
      "40063813339A1",
      "",
      "123456789",
      "1234567890",
      // A colon counts as ten in the sum of the digits, and so leaves it right.
      ":00000000",
      "00000000:0",
    ]) {
      expect(asGtin14(code), code).toBeNull();
    }
  });

  it("compares UPC-A, EAN-13 and GTIN-14 of one article as the same", () => {
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 11, maxLength: 11 });
    fc.assert(
      fc.property(digits, (body) => {
        const upc = withCheckDigit(body.join(""));
        const key = barcodeKey(upc);
        expect(barcodeKey(`0${upc}`)).toBe(key);
        expect(barcodeKey(`00${upc}`)).toBe(key);
        expect(barcodeKey(` ${upc} `)).toBe(key);
      }),
    );
  });

  it("compares what is not a GTIN as trimmed text, zeros and all", () => {
    expect(barcodeKey(" ABC-1 ")).toBe(barcodeKey("ABC-1"));
    expect(barcodeKey("001151")).not.toBe(barcodeKey("01151"));
    expect(barcodeKey("4006381333930")).not.toBe(barcodeKey("04006381333930"));
  });
});
