import { notices } from "./notices.ts";
import type { StationCore } from "./station-core.ts";

// Long enough to be read where everything is sent at once.
const returnReadMs = 3_000;

/** Shows that the server is back, and then what came of it, unless something else has been shown meanwhile. */
function showReturn({ device, timers, state, show, mention }: StationCore): () => void {
  const back = notices.backOnline();
  const hadPending = device.queue.state().pending > 0;
  let isRead = false;
  let isDrained = false;
  const conclude = () => {
    if (!isRead || !isDrained || state().notice !== back) return;
    show(hadPending && device.queue.state().pending === 0 ? notices.allSent() : null);
  };
  const unsubscribe = device.bus.subscribe((event) => {
    if (event.type !== "drained") return;
    isDrained = true;
    conclude();
  });
  const cancel = timers.after(returnReadMs, () => {
    isRead = true;
    conclude();
  });
  mention(back);
  return () => {
    unsubscribe();
    cancel();
  };
}

/** Shows that the server is away, has gone or is back; then the area and its session are read again. */
export function followConnectivity(core: StationCore): () => void {
  let endReturn = () => {};
  // An area can be opened after the server had gone.
  const mentionAway = () => core.mention(notices.offline(core.state().notice));
  if (!core.device.connectivity.isOnline() && core.state().block === null) mentionAway();
  const unsubscribe = core.device.connectivity.subscribe((isOnline) => {
    endReturn();
    if (core.state().block === null) {
      if (isOnline) endReturn = showReturn(core);
      else mentionAway();
    }
    if (!isOnline) return;
    core.server.refreshAreas();
    core.server.refreshSessions();
  });
  return () => {
    endReturn();
    unsubscribe();
  };
}
