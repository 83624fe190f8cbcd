import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { wholeScript } from "./whole-script.ts";

const entry = fileURLToPath(new URL("../src/first-script/first-script.ts", import.meta.url));
const fileName = "first-script.js";

/** Makes /first-script.js, which runs before the first paint and so is small and imports nothing. */
export function firstScript(): Plugin {
  return {
    name: "first-script",
    transformIndexHtml: {
      order: "post",
      handler: (html) => html.replace("<style>", `<script src="/${fileName}"></script>\n    <style>`),
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${fileName}`, (_request, response, next) => {
        wholeScript(entry).then(
          (script) => response.setHeader("Content-Type", "text/javascript").end(script),
          next,
        );
      });
    },
    async generateBundle() {
      this.emitFile({ type: "asset", fileName, source: await wholeScript(entry) });
    },
  };
}
