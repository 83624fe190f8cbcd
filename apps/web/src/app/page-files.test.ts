import { afterEach, expect, it } from "vitest";
import { runPageFiles } from "./page-files.ts";

afterEach(() => {
  document.getElementById("page-files")?.remove();
  for (const link of document.querySelectorAll("link")) link.remove();
});

/** A file that says in `ran` that it was run; a browser runs it once, so that each test has names of its own. */
function fileOf(name: string): string {
  return `data:text/javascript,globalThis.ran.push(${JSON.stringify(name)})`;
}

/** Writes the document's list, and returns what is run. */
function documentOf(
  files: readonly string[],
  pages: readonly (readonly [string, readonly number[]])[],
): string[] {
  const list = document.createElement("script");
  list.type = "application/json";
  list.id = "page-files";
  list.textContent = JSON.stringify({ files, pages });
  document.body.append(list);
  const ran: string[] = [];
  Object.assign(globalThis, { ran });
  return ran;
}

const asked = () => [...document.querySelectorAll("link")].map((link) => link.getAttribute("href"));

it("what a page is made of is asked for at once, and run in its order", async () => {
  const files = ["first", "second", "other"].map(fileOf);
  const ran = documentOf(files, [
    ["/admin", [2]],
    ["/counter", [0, 1]],
  ]);
  const running = runPageFiles("/counter");
  expect(asked()).toEqual(files.slice(0, 2));
  await running;
  expect(ran).toEqual(["first", "second"]);
});

it("a file that can't be loaded is left to the page itself, and the rest is run", async () => {
  const ran = documentOf(["data:text/javascript,throw 1", fileOf("after it")], [["/counter", [0, 1]]]);
  await runPageFiles("/counter");
  expect(ran).toEqual(["after it"]);
});

it.each(["/counter/logins", "/counters", "/"])(
  "nothing is run for %s, which is another page",
  async (path) => {
    const ran = documentOf([fileOf("first")], [["/counter", [0]]]);
    await runPageFiles(path);
    expect([asked(), ran]).toEqual([[], []]);
  },
);

it("nothing is run where the document names no files, as on a developer's machine", async () => {
  await expect(runPageFiles("/counter")).resolves.toBeUndefined();
});
