import { oppositeSettings, proveFaults } from "../testing/fault-suite.ts";

proveFaults(251, { deploy: oppositeSettings.slice(-1), rollback: oppositeSettings.slice(0, 1) });
