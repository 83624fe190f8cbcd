import * as z from "zod/mini";
import type { StocktakeDatabase } from "../database/database.ts";
import { createOperationId } from "../database/device-identity.ts";
import { readSettingIn, type Setting, writeSettingIn } from "../database/settings.ts";
import type { Clock, ExclusiveLock, Randomness, Timers } from "../ports.ts";

const lockName = "stocktake-sync";

/** What is used of the browser's LockManager. */
export interface TabLocks {
  request<Result>(name: string, options: LockOptions, work: () => Promise<Result>): Promise<Result>;
}

const stealAfterMs = 60_000;

/**
 * The browser's own lock between tabs: released by the browser even when a tab crashes. A tab that a phone has suspended
 * in the middle of a run would hold it for hours, so another tab takes it after a minute; should both send then, operation
 * ids prevent duplicates.
 */
export function createWebLock(locks: TabLocks, timers: Timers): ExclusiveLock {
  return {
    async hold(work) {
      const timeout = new AbortController();
      const cancel = timers.after(stealAfterMs, () => timeout.abort());
      try {
        return await locks.request(lockName, { signal: timeout.signal }, () => {
          cancel();
          return work();
        });
      } catch (error) {
        if (!timeout.signal.aborted) throw error;
        return await locks.request(lockName, { steal: true }, work);
      } finally {
        cancel();
      }
    },
  };
}

const leaseSetting: Setting<{ owner: string; until: number }> = {
  key: "syncLease",
  schema: z.object({ owner: z.string(), until: z.number() }),
};

// Longer than a call may take, so that a tab in the middle of one keeps the lease; renewed after a third of it.
const leaseMs = 45_000;
const renewMs = 15_000;
const pollMs = 1_000;

interface LeasePorts {
  readonly database: StocktakeDatabase;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Names this tab. */
  readonly owner: string;
}

async function tryLease({ database, clock, owner }: LeasePorts): Promise<boolean> {
  const transaction = database.transaction("settings", "readwrite");
  const lease = await readSettingIn(transaction.store, leaseSetting);
  const now = clock.now();
  // A lease from before the clock was set back must not block forever.
  const isTaken =
    lease !== null && lease.owner !== owner && lease.until > now && lease.until <= now + leaseMs;
  if (!isTaken) {
    const until = now + leaseMs;
    await writeSettingIn(transaction.store, leaseSetting, { owner, until }, new Date(now).toISOString());
  }
  await transaction.done;
  return !isTaken;
}

async function endLease({ database, owner }: LeasePorts): Promise<void> {
  const transaction = database.transaction("settings", "readwrite");
  const lease = await readSettingIn(transaction.store, leaseSetting);
  if (lease?.owner === owner) await transaction.store.delete(leaseSetting.key);
  await transaction.done;
}

function pause(timers: Timers, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    timers.after(milliseconds, resolve);
  });
}

function keepRenewing(ports: LeasePorts): () => void {
  let cancel = () => {};
  const renewLater = () => {
    cancel = ports.timers.after(renewMs, () => {
      tryLease(ports).then(renewLater, globalThis.reportError);
    });
  };
  renewLater();
  return () => cancel();
}

/**
 * A lock for pages without Web Locks (plain http): a lease in `settings`. A tab that crashes blocks the others for the
 * length of the lease at most; should two tabs ever send at once, operation ids prevent duplicates.
 */
export function createLeaseLock(ports: LeasePorts): ExclusiveLock {
  return {
    async hold(work) {
      while (!(await tryLease(ports))) await pause(ports.timers, pollMs);
      const stopRenewing = keepRenewing(ports);
      try {
        return await work();
      } finally {
        stopRenewing();
        await endLease(ports);
      }
    },
  };
}

interface TabLockPorts extends Omit<LeasePorts, "owner"> {
  readonly random: Randomness;
  /** The browser's locks; undefined where there are none. */
  readonly locks: TabLocks | undefined;
}

export function createTabLock({ locks, random, ...ports }: TabLockPorts): ExclusiveLock {
  if (locks !== undefined) return createWebLock(locks, ports.timers);
  return createLeaseLock({ ...ports, owner: createOperationId(random) });
}
