import { mergeConfig } from "vitest/config";
import ordinary from "./vitest.config.ts";

const config = mergeConfig(ordinary, { test: { name: "proof", testTimeout: 300_000, maxWorkers: "100%" } });

/** The long proofs, which the ordinary run leaves out. */
export default { ...config, test: { ...config.test, include: ["src/**/*.proof.ts"] } };
