import { test } from "vitest";
import { draws } from "../testing/draws.ts";
import { holdInHistories } from "./testing/coverage-property.ts";
import { CoverageScene } from "./testing/coverage-scene.ts";

const scene = new CoverageScene({ follows: false });

test("in any history what the server says is open is what is, and no certificate holds while anything is", async () => {
  await holdInHistories(scene, draws(6));
});
