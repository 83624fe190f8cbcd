import fc from "fast-check";

/** Texts that something may trip over: blank, unstorable, hostile, of other scripts, or almost right. */
const oddTexts = [
  ...[
    "",
    " ",
    "\u0000",
    "a\u0000b",
    "\ud800",
    "\ufeff",
    "\u202e",
    "é",
    "e\u0301",
    "🧦",
    "👩‍👩‍👧",
    "ﷺ".repeat(50),
  ],
  ...["0", "-1", "1.5", "NaN", "Infinity", "1e999", "0x10", "null", "undefined", "true", "[object Object]"],
  ...["' or 1=1 --", "'; select pg_sleep(9) --", "$1", "{{7*7}}", "\\", '"', "`", "%00", "%", "%zz"],
  ...[
    ".",
    "..",
    "../../etc/passwd",
    "..%2f",
    "{}",
    "[]",
    "=cmd()",
    "<script>alert(1)</script>",
    "\r\nX-Odd: 1",
  ],
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"],
  ...[
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999Z",
    "2026-02-29T00:00:00Z",
    "2026-01-01T00:00:00+23:59",
  ],
  ...["00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", "9223372036854775808"],
];

const oddNumbers = [
  ...[0, -0, -1, 1, 1.5, 0.1, 255, 256, 32_768, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 32],
  ...[2 ** 53 - 1, 2 ** 53, -(2 ** 53), 2 ** 63, 1e21, 1e308, 5e-324],
];

/** Lists and objects within each other, so deep that a recursion may run out. */
function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** An object with names that JavaScript objects have by themselves, as JSON can carry them. */
function withPrototypeNames(value: unknown): unknown {
  return JSON.parse(
    `{"__proto__":{"role":"admin","polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,` +
      `"hasOwnProperty":null,"length":-1,"toJSON":"x","value":${JSON.stringify(value) ?? "null"}}`,
  );
}

/** Whatever a client of bad will, or a broken one, may put in the place of a value. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: fc.constantFrom(...oddTexts), weight: 8 },
  { arbitrary: fc.constantFrom(...oddNumbers), weight: 6 },
  { arbitrary: fc.constantFrom<unknown>(null, undefined, true, false, [], {}, [[]], [null]), weight: 4 },
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.integer({ min: 100, max: 20_000 }).map((length) => "x".repeat(length)),
  fc.integer({ min: 100, max: 3_000 }).map((length) => "🧵".repeat(length)),
  fc.integer({ min: 2, max: 2_000 }).map(nested),
  fc.integer({ min: 0, max: 3 }).map(withPrototypeNames),
  fc.array(fc.constantFrom(...oddTexts, ...oddNumbers), { maxLength: 5 }),
  fc.constantFrom(...oddTexts).map((text) => ({ $gt: text, length: 3, 0: text })),
);

/** An odd text for an address, percent-encoded or left as it is where HTTP carries it. */
export const oddAddressPart: fc.Arbitrary<string> = fc.oneof(
  fc
    .oneof(fc.constantFrom(...oddTexts), fc.string({ unit: "binary", maxLength: 20 }))
    .filter((text) => !/\p{Surrogate}/u.test(text))
    .map(encodeURIComponent),
  fc.constantFrom(
    "%",
    "%zz",
    "%ff",
    "%00",
    "%c0%af",
    "%ed%a0%80",
    "%2e%2e",
    "..%2f..%2f",
    "%252e",
    ";",
    "*",
    "a;b=c",
  ),
  fc.constantFrom(250, 299, 300, 301, 2_000, 8_000).map((length) => "x".repeat(length)),
);
