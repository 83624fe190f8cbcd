import { oppositeSettings, proveFaults } from "../testing/fault-suite.ts";

// A deploy with one of the two opposite settings, a rollback with the other; faults.proof.ts goes through every combination.
proveFaults(1, { deploy: oppositeSettings.slice(-1), rollback: oppositeSettings.slice(0, 1) });
