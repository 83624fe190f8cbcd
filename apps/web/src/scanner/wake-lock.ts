/** Keeps the screen awake while it is visible. Browsers without it, or a low battery, leave the screen to the device. */
export function keepScreenAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let isOver = false;
  const request = async () => {
    if (document.visibilityState !== "visible" || isOver) return;
    try {
      lock = (await navigator.wakeLock?.request("screen")) ?? null;
      if (isOver) await lock?.release();
    } catch {
      // Refused (battery saver): counting goes on, the screen just darkens as it always does.
      lock = null;
    }
  };
  // The browser drops the lock whenever the page is hidden.
  document.addEventListener("visibilitychange", request);
  void request();
  return () => {
    isOver = true;
    document.removeEventListener("visibilitychange", request);
    lock?.release().catch(globalThis.reportError);
  };
}
