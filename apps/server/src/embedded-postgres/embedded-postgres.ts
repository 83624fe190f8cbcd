/** The PostgreSQL that comes with the product, for installations without a DATABASE_URL. */

export { openForCommand, startEmbeddedPostgres } from "./embedded.ts";
