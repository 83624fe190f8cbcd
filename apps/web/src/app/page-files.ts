import * as z from "zod/mini";
import { nextTask } from "../events/next-task.ts";

/** As `build/first-load.ts` writes it into the document: the files of the build, and of each address those that its page needs, in the order in which they are run. */
const pageFiles = z.object({
  files: z.array(z.string()),
  pages: z.array(z.tuple([z.string(), z.array(z.int())])),
});

/** The files of the page that has this very address; none where the document names none. */
function filesOf(path: string): string[] {
  const text = document.getElementById("page-files")?.textContent;
  if (text === undefined || text === null) return [];
  const { files, pages } = pageFiles.parse(JSON.parse(text));
  const [, numbers = []] = pages.find(([address]) => path === address) ?? [];
  return numbers.flatMap((number) => files[number] ?? []);
}

function ask(file: string): void {
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.crossOrigin = "";
  link.fetchPriority = "low";
  link.href = file;
  document.head.append(link);
}

/**
 * Runs what a page is made of, each file in a task of its own: all of them in one piece keep a phone from hearing its person. A file that can't
 * be loaded is no failure here, as the page itself asks for it again and says so.
 * @param path an address without its host
 */
export async function runPageFiles(path: string): Promise<void> {
  const files = filesOf(path);
  // At once: by themselves they would be asked for one after the other.
  for (const file of files) ask(file);
  for (const file of files) {
    await import(/* @vite-ignore */ file).catch(() => undefined);
    await nextTask();
  }
}
