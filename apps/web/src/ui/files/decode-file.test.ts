import { expect, it } from "vitest";
import { decodeFile } from "./decode-file.ts";

it("a file that Excel wrote without UTF-8 has its letters all the same", () => {
  expect(decodeFile(Uint8Array.of(0x4d, 0xfc, 0x65).buffer)).toBe("Müe");
  expect(decodeFile(new TextEncoder().encode("\ufeffMüe").buffer)).toBe("Müe");
  expect(decodeFile(Uint8Array.of(0xff, 0xfe, 0x4d, 0, 0xfc, 0).buffer)).toBe("Mü");
  expect(decodeFile(Uint8Array.of(0xfe, 0xff, 0, 0x4d, 0, 0xfc).buffer)).toBe("Mü");
});
