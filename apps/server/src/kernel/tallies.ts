/** Counts by name, such as scans by what became of them. */
class Counts<Name extends string> {
  private readonly counts = new Map<Name, number>();

  add(name: Name, count = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + count);
  }

  of(name: Name): number {
    return this.counts.get(name) ?? 0;
  }
}

/** What this process has counted of its own work since it began. Slices count, /metrics reads. */
export class Tallies {
  /** Scans that were stored, by what became of them; repeats are not among them. */
  readonly scans = new Counts<"counted" | "unresolved" | "late" | "voided">();
  readonly webhooks = new Counts<"accepted" | "refused">();
  /** Readings of reports and files, by where they were read. */
  readonly reports = new Counts<"replica" | "database">();
  /** When Shopify's last webhook was accepted, in milliseconds since 1970; null before the first. */
  lastWebhookAt: number | null = null;
  /** Event streams that are open now. */
  eventStreams = 0;
}
