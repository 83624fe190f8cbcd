import { expect, test } from "vitest";
import { type Source, sourcesIn } from "./sources.ts";

/** The components of the app that show a dialog with content of their own. A plain confirmation is the same each time. */
function dialogsIn({ text }: Source): string[] {
  const names: string[] = [];
  let component = "";
  for (const [, declared, shown] of text.matchAll(
    /^(?:export )?function (\w+)\(|<(Dialog|FormDialog|TypedDialog|Modal|SideDrawer)\b/gm,
  )) {
    if (declared !== undefined) component = declared;
    else if (shown !== undefined) names.push(component);
  }
  return names;
}

test("every dialog of the app is opened by the accessibility run", async () => {
  const features = await sourcesIn("apps/web/src/features", ".tsx");
  const dialogs = features.filter(({ path }) => !path.endsWith(".test.tsx")).flatMap(dialogsIn);
  const runs = await sourcesIn("e2e/src", "accessibility.spec.ts");
  const opened = runs.map(({ text }) => text).join("\n");
  expect(dialogs.length).toBeGreaterThan(10);
  expect(dialogs.filter((name) => !new RegExp(`\\b${name}\\b`).test(opened))).toEqual([]);
});
