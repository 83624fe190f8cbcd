import { oppositeSettings, proveFaults } from "../testing/fault-suite.ts";

// faults.proof.ts goes through every combination.
proveFaults(1, { deploy: oppositeSettings, rollback: oppositeSettings.slice(0, 1) });
