import { expect, test } from "vitest";
import { type Source, sourcesIn } from "./sources.ts";

/** What every dialog is made of; it shows the content of others. */
const parts = ["Dialog", "FormDialog", "TypedDialog", "Modal", "SideDrawer", "ConfirmDialog"];

/** The components of the app that show a dialog, each after the path of its file. */
function dialogsIn({ path, text }: Source): string[] {
  const found: string[] = [];
  let component = "";
  const shown = new RegExp(`^(?:export )?function (\\w+)\\(|<(?:${parts.join("|")})\\b`, "gm");
  for (const [, declared] of text.matchAll(shown)) {
    if (declared !== undefined) component = declared;
    else if (!parts.includes(component)) found.push(`${path}: ${component}`);
  }
  return found;
}

/** What a comment says is done by nobody. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/(^|\s)\/\/.*$/gm, "");
}

test("every dialog of the app is opened by the accessibility run", async () => {
  const app = await sourcesIn("apps/web/src", ".tsx");
  const dialogs = app.filter(({ path }) => !path.endsWith(".test.tsx")).flatMap(dialogsIn);
  const runs = await sourcesIn("e2e/src", "accessibility.spec.ts");
  const opened = runs.map(({ text }) => withoutComments(text)).join("\n");
  const isOpened = (dialog: string) => new RegExp(`\\b${dialog.split(": ")[1]}\\b`).test(opened);
  expect(dialogs.length).toBeGreaterThan(60);
  expect(dialogs.filter((dialog) => !isOpened(dialog))).toEqual([]);
});
