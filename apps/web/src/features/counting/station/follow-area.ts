import type { Area, CountingSession } from "@stocktake/contract";
import type { Cached } from "../../../offline/offline.ts";
import { isPassChanging } from "../opening/area-notes.ts";
import { notices } from "./notices.ts";
import { readSessionEnd } from "./session-end.ts";
import { follow, type StationCore } from "./station-core.ts";
import { itemsScanned } from "./station-state.ts";

function handleSessions({ area, state, show }: StationCore, sessions: Cached<CountingSession[]>): void {
  if (sessions.from !== "server" || state().block !== null) return;
  const session = sessions.value.find((each) => each._id === area.sessionId);
  if (session?.status !== "active") show(notices.noSession());
}

/** An administrator accepted scans into the pass, or one of them was undone: the count here follows. */
async function handleAccepted({ state, reload, show }: StationCore, listed: Area): Promise<void> {
  const before = state();
  const accepted = before.elsewhere?.accepted ?? 0;
  if (!before.isPrepared || (listed.accepted ?? accepted) === accepted) return;
  await reload();
  const { elsewhere, pass, block } = state();
  const more = (elsewhere?.accepted ?? 0) - accepted;
  if (more > 0 && pass === before.pass && block === null) show(notices.accepted(more, itemsScanned(state())));
}

async function handleAreas(core: StationCore, areas: Cached<Area[]>): Promise<void> {
  const { device, area, state, show, change } = core;
  if (areas.from !== "server" || state().isFinishing) return;
  if (await isPassChanging(device.database, area.sessionId, area.areaId)) return;
  const { pass, block, isFinishing } = state();
  if (block !== null || isFinishing) return;
  const listed = areas.value.find((each) => each._id === area.areaId);
  if (listed === undefined) return show(notices.areaDeleted());
  if (listed.pass >= pass && listed.status === "closed") return show(notices.areaClosed());
  if (listed.pass === pass) return handleAccepted(core, listed);
  if (listed.pass < pass) return;
  change({ type: "started_again", pass: listed.pass, notice: notices.startedAgainByOthers() });
}

/** Reads what became of the last scans, now and as they are sent. */
function followSessionEnd({ device, area, change }: StationCore): () => void {
  let pending = Number.NaN;
  let isOver = false;
  const read = async () => {
    const now = device.queue.state().pending;
    if (now === pending) return;
    pending = now;
    const sessionEnd = await readSessionEnd(device.database, area.sessionId);
    if (!isOver && now === pending) change({ type: "patched", patch: { sessionEnd } });
  };
  const readInBackground = () => void read().catch(globalThis.reportError);
  readInBackground();
  const unsubscribe = device.queue.subscribe(readInBackground);
  return () => {
    isOver = true;
    unsubscribe();
  };
}

/** Watches the area and its session: closed, deleted or started again by others, or the session ended. */
export function followArea(core: StationCore): () => void {
  const { server, area } = core;
  const ends = [
    server.watchSessions((sessions) => handleSessions(core, sessions)),
    server.watchAreas(
      area.locationId,
      (areas) => void handleAreas(core, areas).catch(globalThis.reportError),
    ),
    server.watchAreaBook(),
    follow(
      core,
      ({ block }) => block === "no_session",
      (isEnded) => (isEnded ? followSessionEnd(core) : undefined),
    ),
  ];
  return () => {
    for (const end of ends) end();
  };
}
