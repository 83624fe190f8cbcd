import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const project = fileURLToPath(new URL("../..", import.meta.url));
const metrics = `${project}/apps/server/src/metrics/`;

test("the example dashboard asks for metrics that the server has, and for all of them", () => {
  const dashboard = readFileSync(`${project}/docs/grafana-dashboard.json`, "utf8");
  const name = /\b(?:stocktake|process|nodejs)_[a-z0-9_]+/g;
  const asked = new Set(
    [...dashboard.matchAll(name)].map(([found]) => found.replace(/_(?:bucket|count|sum)$/, "")),
  );
  const source = readdirSync(metrics)
    .filter((file) => !file.includes(".test."))
    .map((file) => readFileSync(metrics + file, "utf8"))
    .join("\n");
  const there = new Set(
    [...source.matchAll(/"((?:stocktake|process|nodejs)_[a-z0-9_]+)"/g)].map(([, found]) => found),
  );
  const notShown = ["stocktake_database_up", "process_start_time_seconds"];
  expect([...asked].sort()).toEqual([...there].filter((metric) => !notShown.includes(metric ?? "")).sort());
});
