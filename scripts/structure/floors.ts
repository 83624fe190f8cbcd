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

/** An import from one part of the server into another. */
interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly source: string;
  readonly target: string;
}

function arrowsBetween(files: readonly SourceFile[]): readonly Arrow[] {
  return [...fileEdges(files)].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => isOfServer({ path: to }) && partOf(from) !== partOf(to))
      .map((to) => ({ from, to, source: partOf(from), target: partOf(to) })),
  );
}

/** The slices that each slice imports. */
function slicesReached(arrows: readonly Arrow[]): ReadonlyMap<string, ReadonlySet<string>> {
  const reached = new Map<string, Set<string>>();
  for (const { source, target } of arrows) {
    if (floorOf(source) !== 1 || floorOf(target) !== 1) continue;
    reached.set(source, new Set([...(reached.get(source) ?? []), target]));
  }
  return reached;
}

export function checkFloors(files: readonly SourceFile[]): FloorFaults {
  const arrows = arrowsBetween(files);
  const describe = ({ from, to }: { readonly from: string; readonly to: string }) => `${from} → ${to}`;
  return {
    upward: arrows.filter(({ source, target }) => floorOf(target) > floorOf(source)).map(describe),
    circles: findCircles(slicesReached(arrows)).map((circle) => circle.join(", ")),
    pastFaces: arrows
      .filter(({ to, target }) => floorOf(target) === 1 && to !== `${server}${target}/${target}.ts`)
      .map(describe),
  };
}

/** What a line of the drawing shows, before whatever is said of it. */
function shownIn(line: string): string[] {
  const [shown = ""] = line.slice("contract   ".length).split(" — ");
  return shown.split(/ +/).filter((word) => word !== "");
}

/** A slice, or a file of the assembly outside its folder, as the drawing has to show it. */
function nameOf(path: string): string {
  const [folder = "", ...rest] = path.slice(server.length).split("/");
  return rest.length > 0 && (folder === "assembly" || isInKernel(folder)) ? `${folder}/` : folder;
}

/**
 * What the drawing of the floors (docs/ARCHITECTURE.md) has wrong: what it leaves out, and slices that import one on their own line or above
 * it.
 */
export function checkDrawing(page: string, files: readonly SourceFile[]): readonly string[] {
  const [, drawing = ""] = /## The floors of the server\n+```\n(.*?)```/s.exec(page) ?? [];
  const lineOf = new Map(
    drawing.split("\n").flatMap((line, index) => shownIn(line).map((name) => [name, index] as const)),
  );
  const ofServer = files.filter(isOfServer);
  const missing = [...new Set(ofServer.map(({ path }) => nameOf(path)))].filter((name) => !lineOf.has(name));
  const level = [...slicesReached(arrowsBetween(ofServer))].flatMap(([source, targets]) =>
    [...targets]
      .filter((target) => (lineOf.get(target) ?? 0) <= (lineOf.get(source) ?? 0))
      .map((target) => `${source} imports ${target}, which is drawn on its line or above`),
  );
  return [...missing.map((name) => `${name} is not in the drawing`), ...level];
}
