import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { wholeScript } from "./whole-script.ts";

const folder = fileURLToPath(new URL("../src/verifier/", import.meta.url));

/** Makes /verifier.html of src/verifier: one page that needs no other file, so that it can be kept beside what it verifies. */
export function verifierPage(): Plugin {
  return {
    name: "verifier-page",
    apply: "build",
    async generateBundle() {
      const page = await readFile(`${folder}verifier.html`, "utf8");
      const script = await wholeScript(`${folder}verifier.ts`);
      // A function: what it returns is taken as it is, also where it holds a $.
      const source = page.replace("/* verifier */", () => script.replaceAll("</script", "<\\/script"));
      this.emitFile({ type: "asset", fileName: "verifier.html", source });
    },
  };
}
