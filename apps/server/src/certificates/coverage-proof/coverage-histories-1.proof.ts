import { proveCoverage } from "../testing/prove-coverage.ts";

proveCoverage({ from: 1, to: 2500 });
