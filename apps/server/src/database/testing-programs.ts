// A program for tests: prepares the PostgreSQL package in the folder given first, with links in the folder given
// second, and prints what came of it.
import { preparePrograms } from "../embedded-postgres/binaries.ts";

const programs = await preparePrograms(String(process.argv[2]), String(process.argv[3]));
process.stdout.write(`${JSON.stringify(programs)}\n`);
