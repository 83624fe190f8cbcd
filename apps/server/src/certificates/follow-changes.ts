import { issueFurther } from "./issue-certificate.ts";
import type { CertificateServices } from "./services.ts";

/** A session that counts tells of each scan: what happens within this time is looked at once. */
const gatheringMs = 1_000;

/**
 * Issues the next version of a certificate as soon as what it says has changed and nothing is open, on whatever node. Between the two the
 * certificate is not shown as valid: that is worked out when it is read. What is missed is issued by the clock (issue-due.ts), and so is
 * what only a server of another release says in another way. The returned function ends it.
 */
export function followChanges(services: CertificateServices): () => Promise<void> {
  const waiting = new Set<string>();
  let work: Promise<void> | null = null;
  const over = new AbortController();
  const issueWaiting = async (): Promise<void> => {
    // The end of the server cuts the pause short; nothing waits by then.
    await services.clock.sleep(gatheringMs, over.signal).catch(() => undefined);
    for (const sessionId of waiting) {
      waiting.delete(sessionId);
      await issueFurther(services, sessionId, { atOnce: true }).catch((err: unknown) => {
        const message =
          "The next version of a coverage certificate could not be issued; it is tried again within a minute";
        services.logger.warn({ err, session: sessionId }, message);
      });
    }
  };
  const begin = (): void => {
    work ??= issueWaiting().finally(() => {
      work = null;
      // What came after the last one was taken found the work still going on.
      if (waiting.size > 0) begin();
    });
  };
  const unsubscribe = services.events.subscribe(({ sessionId }) => {
    if (sessionId === undefined) return;
    waiting.add(sessionId);
    begin();
  });
  return async () => {
    unsubscribe();
    waiting.clear();
    over.abort();
    await work;
  };
}
