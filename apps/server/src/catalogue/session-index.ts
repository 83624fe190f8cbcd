import type { Database } from "../database/pool.ts";
import { notFound } from "../kernel/api-error.ts";
import type { SessionIndex } from "./products.ts";
import { indexSessionProducts, readSessionProducts } from "./session-products.ts";

/** Products in all the indexes that are kept: about 50 MB. */
const cachedProducts = 500_000;

interface Loaded extends SessionIndex {
  /** Equal for sessions that count against the same products; those share one index in memory. */
  readonly digest: string;
  readonly products: number;
}

/** The indexes that scans are matched against, by session; the ones used last are kept. */
export class SessionIndexes {
  private readonly database: Database;
  private readonly loaded = new Map<string, Loaded>();
  private readonly loading = new Map<string, Promise<Loaded>>();

  constructor(database: Database) {
    this.database = database;
  }

  /** The session's index, at least at `version`. Loads at the same time share one. */
  async at(sessionId: string, version: number): Promise<SessionIndex> {
    const kept = this.loaded.get(sessionId);
    if (kept !== undefined && kept.version >= version) {
      this.touch(sessionId, kept);
      return kept;
    }
    const fresh = await this.load(sessionId);
    // A load that was under way may have begun before the session grew.
    return fresh.version >= version ? fresh : this.load(sessionId);
  }

  forget(sessionId: string): void {
    this.loaded.delete(sessionId);
  }

  private load(sessionId: string): Promise<Loaded> {
    const underWay = this.loading.get(sessionId);
    if (underWay !== undefined) return underWay;
    const load = this.read(sessionId).finally(() => this.loading.delete(sessionId));
    this.loading.set(sessionId, load);
    return load;
  }

  private async read(sessionId: string): Promise<Loaded> {
    // The version first: what is added in between makes the index newer than it says, never older.
    const session = await this.database
      .selectFrom("sessions")
      .select("catalogueVersion")
      .where("id", "=", sessionId)
      .executeTakeFirst();
    if (session === undefined) throw notFound("The session");
    const products = await this.database
      .transaction()
      .execute((transaction) => readSessionProducts(transaction, sessionId));
    const { digest, lines } = products;
    const same = [...this.loaded.values()].find((other) => other.digest === digest);
    const index = same?.index ?? (await indexSessionProducts(products));
    const loaded = { version: session.catalogueVersion, index, digest, products: lines.length };
    this.touch(sessionId, loaded);
    this.makeRoom(sessionId);
    return loaded;
  }

  private touch(sessionId: string, loaded: Loaded): void {
    this.loaded.delete(sessionId);
    this.loaded.set(sessionId, loaded);
  }

  private makeRoom(newest: string): void {
    for (const sessionId of [...this.loaded.keys()]) {
      if (sessionId === newest || this.productsKept() <= cachedProducts) return;
      this.loaded.delete(sessionId);
    }
  }

  private productsKept(): number {
    const shared = new Map([...this.loaded.values()].map(({ digest, products }) => [digest, products]));
    return [...shared.values()].reduce((sum, products) => sum + products, 0);
  }
}
