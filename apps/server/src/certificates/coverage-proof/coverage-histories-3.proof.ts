import { proveCoverage } from "../testing/prove-coverage.ts";

proveCoverage({ from: 5001, to: 7500 });
