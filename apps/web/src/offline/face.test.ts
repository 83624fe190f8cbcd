import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const source = join(import.meta.dirname, "..");
const faces = /offline\/(offline\.ts|device\/device-provider\.tsx)$/;

it("everything outside this folder imports it through its faces", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && !/^offline\/|\.test\.|\/testing\//.test(file),
  );
  const pastFace = files.flatMap((file) =>
    [...readFileSync(join(source, file), "utf8").matchAll(/from "((?:\.\.?\/)+offline\/[^"]+)"/g)]
      .filter(([, imported = ""]) => !faces.test(imported))
      .map(([statement]) => `${file}: ${statement}`),
  );
  expect(pastFace).toEqual([]);
});
