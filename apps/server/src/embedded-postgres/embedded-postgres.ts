/** The PostgreSQL that comes with the product, for installations without a DATABASE_URL. */

export { holdsEmbeddedDatabase } from "./data-folder.ts";
export { openForCommand, requireDatabase, startEmbeddedPostgres } from "./embedded.ts";
