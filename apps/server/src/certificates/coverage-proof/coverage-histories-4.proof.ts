import { proveCoverage } from "../testing/prove-coverage.ts";

proveCoverage({ from: 7501, to: 10000 });
