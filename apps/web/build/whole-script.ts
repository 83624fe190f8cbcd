import { build } from "vite";

/** A script with everything that it imports, as one that needs no other file. */
export async function wholeScript(entry: string): Promise<string> {
  const outputs = await build({
    configFile: false,
    logLevel: "warn",
    build: { write: false, target: "es2022", lib: { entry, formats: ["iife"], name: "whole" } },
  });
  const [output] = Array.isArray(outputs) ? outputs : [outputs];
  if (output === undefined || !("output" in output)) throw new Error(`${entry} was not built.`);
  const [chunk] = output.output;
  return chunk.code;
}
