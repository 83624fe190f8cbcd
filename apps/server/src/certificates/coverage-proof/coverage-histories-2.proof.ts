import { proveCoverage } from "../testing/prove-coverage.ts";

proveCoverage({ from: 2501, to: 5000 });
