import { everySetting, oppositeSettings, proveFaults } from "./testing/fault-suite.ts";

proveFaults(1, { deploy: everySetting, rollback: oppositeSettings });
