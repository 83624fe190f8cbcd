import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readSchema, writeSchema } from "../apps/server/src/database/landing/testing-schema.ts";
import { migrate, readMigrations } from "../apps/server/src/database/migrate.ts";
import { startEmbeddedPostgres } from "../apps/server/src/embedded-postgres/embedded.ts";

/**
 * `npm run landing`, once a release has landed: keeps its schema as the one that servers may still run on during the next update. `-- VERSION`
 * keeps that of an earlier migration.
 */
const kept = new URL("../apps/server/src/database/migrations/previous-landing.txt", import.meta.url);

const folder = await mkdtemp(join(tmpdir(), "stocktake-landing-"));
try {
  // PostgreSQL may run as another user, who has to pass.
  await chmod(folder, 0o711);
  const all = await readMigrations();
  const migrations = all.slice(0, Number(process.argv[2] ?? all.length));
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  try {
    await migrate(postgres.connection, { migrations });
    await writeFile(kept, writeSchema(migrations.length, await readSchema(postgres.connection)));
  } finally {
    await postgres.stop();
  }
  process.stdout.write(`${fileURLToPath(kept)}: the schema of migration ${migrations.length}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
