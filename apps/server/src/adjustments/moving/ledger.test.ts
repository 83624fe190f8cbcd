import { proveLedger } from "../testing/ledger-property.ts";

proveLedger(10);
