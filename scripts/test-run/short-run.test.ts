import { basename, matchesGlob } from "node:path";
import { describe, expect, test } from "vitest";
import { sourcesIn } from "../checks/sources.ts";
import { leftOutUnits, shortBrowserTests } from "./short-run.ts";

describe("the short run", () => {
  test.each(leftOutUnits.map(({ files }) => files))(
    "leaves out files that there are: %s",
    async (pattern) => {
      const files = (await sourcesIn("apps", ".test.ts", ".test.tsx")).map(({ path }) => path);
      expect(files.filter((path) => matchesGlob(path, `apps/*/${pattern}`))).not.toEqual([]);
    },
  );

  test("has browser tests that there are, each by one name", async () => {
    const names = (await sourcesIn("e2e/src", ".spec.ts")).map(({ path }) => basename(path));
    expect(names.filter((name) => shortBrowserTests.includes(name)).toSorted()).toEqual(
      shortBrowserTests.toSorted(),
    );
  });
});
