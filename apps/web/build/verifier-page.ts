import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";

const folder = fileURLToPath(new URL("../src/verifier/", import.meta.url));

async function scriptOf(entry: string): Promise<string> {
  const outputs = await build({
    configFile: false,
    logLevel: "warn",
    build: { write: false, target: "es2022", lib: { entry, formats: ["iife"], name: "verifier" } },
  });
  const [output] = Array.isArray(outputs) ? outputs : [outputs];
  if (output === undefined || !("output" in output)) throw new Error("The verifier's page was not built.");
  const [chunk] = output.output;
  return chunk.code;
}

/** Makes /verifier.html of src/verifier: one page that needs no other file, so that it can be kept beside what it verifies. */
export function verifierPage(): Plugin {
  return {
    name: "verifier-page",
    apply: "build",
    async generateBundle() {
      const page = await readFile(`${folder}verifier.html`, "utf8");
      const script = await scriptOf(`${folder}verifier.ts`);
      // A function: what it returns is taken as it is, also where it holds a $.
      const source = page.replace("/* verifier */", () => script.replaceAll("</script", "<\\/script"));
      this.emitFile({ type: "asset", fileName: "verifier.html", source });
    },
  };
}
