import type { Rolldown } from "vite";

export type OutputBundle = Rolldown.OutputBundle;
export type OutputChunk = Rolldown.OutputChunk;

export function chunksOf(bundle: OutputBundle): OutputChunk[] {
  return Object.values(bundle).filter((file) => file.type === "chunk");
}

/** The chunks that a chunk imports itself, not once somebody asks for them. */
export function importedBy({ imports }: OutputChunk, bundle: OutputBundle): OutputChunk[] {
  return imports.flatMap((name) => {
    const imported = bundle[name];
    return imported?.type === "chunk" ? [imported] : [];
  });
}

/** Chunks with everything that they import, by their files: each comes after what it imports, as they are run. */
export function closure(bundle: OutputBundle, chunks: readonly OutputChunk[]): Map<string, OutputChunk> {
  const found = new Map<string, OutputChunk>();
  const seen = new Set<string>();
  const add = (chunk: OutputChunk) => {
    if (seen.has(chunk.fileName)) return;
    seen.add(chunk.fileName);
    for (const imported of importedBy(chunk, bundle)) add(imported);
    found.set(chunk.fileName, chunk);
  };
  for (const chunk of chunks) add(chunk);
  return found;
}
