import { useEffect } from "react";

/** Keeps the screen awake while mounted and in sight. Browsers without it, or a low battery, leave the screen to the device. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    let left = false;
    const take = async () => {
      if (document.visibilityState !== "visible" || left) return;
      try {
        lock = (await navigator.wakeLock?.request("screen")) ?? null;
        if (left) await lock?.release();
      } catch {
        // Refused (battery saver): counting goes on, the screen just darkens as it always does.
        lock = null;
      }
    };
    // The browser drops the lock whenever the page goes out of sight.
    document.addEventListener("visibilitychange", take);
    void take();
    return () => {
      left = true;
      document.removeEventListener("visibilitychange", take);
      lock?.release().catch(globalThis.reportError);
    };
  }, []);
}
