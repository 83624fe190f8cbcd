import { type Change, useChange } from "../../http/use-change.ts";
import { saveFile } from "./save-file.ts";

/** Saves what a call answers as a file of that name; afterwards the queries under `staleRoots` are read again. */
export function useSaving<Input>(
  ask: (input: Input) => Promise<Response>,
  name: string,
  staleRoots: readonly string[] = [],
): Change<Input, void> {
  return useChange(async (input: Input) => saveFile(await (await ask(input)).blob(), name), staleRoots);
}
