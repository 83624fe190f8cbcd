import { isOfOneSku, oppositeSettings, proveFaults } from "../testing/fault-suite.ts";

// What happens to a call as a whole is the same for any number of rows, and a rollback goes the same way as a deploy:
// faults-1.test.ts has both, faults.proof.ts goes through every combination.
proveFaults(251, { deploy: oppositeSettings.slice(-1), rollback: [] }, isOfOneSku);
