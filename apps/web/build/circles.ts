import type { Plugin } from "vite";
import { chunksOf, closure, importedBy } from "./output.ts";

/**
 * The device's files and the start import each other, for functions alone: neither runs anything of the other's while it
 * loads.
 */
const harmless: ReadonlySet<string> = new Set(["device", "index"]);

/**
 * Fails a build in which files import each other in a circle. Whichever of them runs first finds the others empty: a field that
 * asked for its wrapper before that was there once kept every page from opening, after an import that was added elsewhere.
 */
export function noCircles(): Plugin {
  return {
    name: "no-circles",
    generateBundle(_options, bundle) {
      const circling = chunksOf(bundle).filter(
        (chunk) =>
          !harmless.has(chunk.name) && closure(bundle, importedBy(chunk, bundle)).has(chunk.fileName),
      );
      if (circling.length > 0) {
        const files = circling.map(({ fileName }) => fileName).join(", ");
        this.error(`Files import each other in a circle: ${files}`);
      }
    },
  };
}
