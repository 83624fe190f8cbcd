import type { SourceFile } from "./modules.ts";
import { fileEdges, findCircles } from "./sharing.ts";

/*
 * The server's floors: kernel ← slices ← assembly. What others may use of a slice is in its face, the file with the
 * folder's name; kernel and database may be imported file by file.
 */

const server = "apps/server/src/";
const kernelFolders = ["kernel", "database"];

export interface FloorFaults {
  readonly upward: readonly string[];
  readonly circles: readonly string[];
  readonly pastFaces: readonly string[];
}

/** The folder that a file of the server belongs to; the assembly where it lies in none. */
export function partOf(path: string): string {
  const [folder = "", ...rest] = path.slice(server.length).split("/");
  return rest.length === 0 ? "assembly" : folder;
}

export function isInKernel(part: string): boolean {
  return kernelFolders.includes(part);
}

function floorOf(part: string): number {
  if (isInKernel(part)) return 0;
  return part === "assembly" ? 2 : 1;
}

export function isOfServer({ path }: { readonly path: string }): boolean {
  return path.startsWith(server);
}

export function checkFloors(files: readonly SourceFile[]): FloorFaults {
  const arrows = [...fileEdges(files)].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => isOfServer({ path: to }) && partOf(from) !== partOf(to))
      .map((to) => ({ from, to, source: partOf(from), target: partOf(to) })),
  );
  const betweenSlices = arrows.filter(({ source, target }) => floorOf(source) === 1 && floorOf(target) === 1);
  const reached = new Map<string, Set<string>>();
  for (const { source, target } of betweenSlices) {
    reached.set(source, new Set([...(reached.get(source) ?? []), target]));
  }
  const describe = ({ from, to }: { readonly from: string; readonly to: string }) => `${from} → ${to}`;
  return {
    upward: arrows.filter(({ source, target }) => floorOf(target) > floorOf(source)).map(describe),
    circles: findCircles(reached).map((circle) => circle.join(", ")),
    pastFaces: arrows
      .filter(({ to, target }) => floorOf(target) === 1 && to !== `${server}${target}/${target}.ts`)
      .map(describe),
  };
}
