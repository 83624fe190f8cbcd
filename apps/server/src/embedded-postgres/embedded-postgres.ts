/** The PostgreSQL that comes with the product, for installations without a DATABASE_URL. */

export { startEmbeddedPostgres } from "./embedded.ts";
export { openForCommand } from "./open-for-command.ts";
