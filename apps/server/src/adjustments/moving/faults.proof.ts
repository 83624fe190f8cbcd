import { allFaultSettings, proveFaults } from "../testing/fault-suite.ts";

// Every setting, both directions, at and around the limit of a call. Too long for the ordinary run.
for (const size of [1, 250, 251, 1000]) proveFaults(size, allFaultSettings);
