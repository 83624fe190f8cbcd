import type { Plugin } from "vite";
import { chunksOf, closure, importedBy } from "./output.ts";

/**
 * Fails a build in which files import each other in a circle. Whichever of them runs first finds the others empty: a field that
 * asked for its wrapper before that was there once kept every page from opening, after an import that was added elsewhere.
 */
export function noCircles(): Plugin {
  return {
    name: "no-circles",
    generateBundle(_options, bundle) {
      const circling = chunksOf(bundle).filter((chunk) =>
        closure(bundle, importedBy(chunk, bundle)).has(chunk.fileName),
      );
      if (circling.length > 0) {
        const files = circling.map(({ fileName }) => fileName).join(", ");
        this.error(`Files import each other in a circle: ${files}`);
      }
    },
  };
}
