import { mergeConfig } from "vitest/config";
import ordinary from "./vitest.config.ts";

const config = mergeConfig(ordinary, {
  test: { name: "proof", testTimeout: 3_600_000, maxWorkers: "100%", env: { DRAWS: "50" } },
});

/** The long proofs, which the ordinary run leaves out, and its random tests, drawn anew and many times as often. */
export default {
  ...config,
  test: { ...config.test, include: ["src/**/*.proof.ts", "src/**/random-*.test.ts"] },
};
