import { expect, test } from "vitest";
import { describeSecret, newSecret, stepOfCode } from "./totp.ts";

const secret = Buffer.from("12345678901234567890");

/** RFC 6238, appendix B, for SHA-1: the last six of its eight digits. */
test.each([
  [59, "287082", 0x1],
  [1_111_111_109, "081804", 0x23523ec],
  [1_111_111_111, "050471", 0x23523ed],
  [1_234_567_890, "005924", 0x273ef07],
  [2_000_000_000, "279037", 0x3f940aa],
  [20_000_000_000, "353130", 0x27bc86aa],
])("at %i s the code is %s of step %i", (seconds, code, step) => {
  expect(stepOfCode(secret, code, seconds * 1_000)).toBe(step);
  expect(stepOfCode(secret, `${code.slice(0, 3)} ${code.slice(3)}`, seconds * 1_000)).toBe(step);
});

test("a code is of its step one step later and earlier too, and of none two steps away", () => {
  const at = (seconds: number) => stepOfCode(secret, "050471", seconds * 1_000);
  expect([1_111_111_111 - 30, 1_111_111_111 + 30].map(at)).toEqual([0x23523ed, 0x23523ed]);
  expect([1_111_111_111 - 60, 1_111_111_111 + 60].map(at)).toEqual([null, null]);
});

test.each(["", "050472", "50471", "0504710", "０５０４７１", "05047a", "\u0000"])("%j is no code", (code) => {
  expect(stepOfCode(secret, code, 1_111_111_111_000)).toBeNull();
});

test("a new secret has 160 bits, and is described as apps read it", () => {
  expect(newSecret()).toHaveLength(20);
  expect(newSecret().equals(newSecret())).toBe(false);
  expect(describeSecret(secret, "admin")).toEqual({
    secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    address:
      "otpauth://totp/Stocktake:admin?issuer=Stocktake&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30",
  });
});
