import pg from "pg";

/**
 * A connection of its own, not connected yet, for work beside a pool. One that breaks fails the statement that is under way, or the next;
 * without a listener it would end the process.
 */
export function newClient(settings: pg.ClientConfig): pg.Client {
  const client = new pg.Client(settings);
  client.on("error", () => undefined);
  return client;
}
