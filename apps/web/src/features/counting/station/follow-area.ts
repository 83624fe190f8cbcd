import type { Area, CountingSession } from "@stocktake/contract";
import { type Cached, readSession } from "../../../offline/offline.ts";
import { messages } from "../messages.ts";
import { isPassChanging } from "../opening/area-notes.ts";
import { isMine, isOthersAlone, namesOf } from "../opening/area-order.ts";
import { countedOnly } from "../opening/start-counting.ts";
import { createRecountNews, type RequestedRecount } from "../recounts/recounts.ts";
import { acceptedAmongItems } from "./area-state.ts";
import { type Notice, notices, type RecountConcern } from "./notices.ts";
import { readSessionEnd } from "./session-end.ts";
import { follow, type StationCore } from "./station-core.ts";
import { itemsScanned, type StationState } from "./station-state.ts";

/** What the server's lists have shown of the area since the station was opened. */
interface Listed {
  /** The highest pass in which it was there to be counted. */
  countingPass: number;
  session: CountingSession | undefined;
  /** It was started again while the session was not known, which may list what is counted: until then the list from before holds. */
  begunAgain: Area | null;
  /** The pass that was found closed; null while nothing is. Another one can be learnt before the list shows that it is open. */
  closedPass: number | null;
  /** The pass that was last read anew, and with how many devices. */
  readAnew: { readonly pass: number; readonly devices: number } | null;
  /** The last list of the server's. Where it came while a total was being submitted, nothing was made of it yet, and no other may follow. */
  last: Cached<Area[]> | null;
  isSkipped: boolean;
}

const isActive = (session: CountingSession | undefined) => session?.status === "active";

async function handleSessions(
  core: StationCore,
  sessions: Cached<CountingSession[]>,
  listed: Listed,
): Promise<void> {
  const { area, state, show, change } = core;
  listed.session = sessions.value.find((each) => each._id === area.sessionId);
  const { session, begunAgain } = listed;
  if (session !== undefined && begunAgain !== null) {
    listed.begunAgain = null;
    change({ type: "patched", patch: { only: countedOnly(begunAgain, session) } });
  }
  if (sessions.from !== "server") return;
  if (!isActive(session) && state().block === null) show(notices.noSession());
  if (isActive(session) && state().block === "no_session") await goOn(core, listed);
}

/** The session had ended and is active again. */
function isBack({ state }: StationCore, { session }: Listed): boolean {
  return state().block === "no_session" && isActive(session);
}

/**
 * The session is active after all: its end came after the backup that was restored, or this person may count in it again. The area is read
 * first, as it may be in another pass or closed by now; until then a scan is told that it does not count. Where the server does not list
 * the areas, the next list of sessions begins this anew.
 */
async function goOn(core: StationCore, listed: Listed): Promise<void> {
  const { device, area, server, state, change, reload } = core;
  const [areas] = await Promise.all([server.readAreas(area.locationId), reload()]);
  if (areas?.from !== "server") return;
  const isChanging = await isPassChanging(device.database, area.sessionId, area.areaId);
  if (!isBack(core, listed)) return;
  const notice = notices.goesOn();
  // What the list says of the area, this device's own operation is about to change.
  if (isChanging || state().isFinishing) return change({ type: "reopened", notice });
  await followListed(core, areas.value, listed, notice);
}

/** More devices have scans in the pass than this one and those it has been told of. */
function hasMoreDevices({ tally, unknown, elsewhere }: StationState, { activity }: Area): boolean {
  const own = tally.length + unknown.length === 0 ? 0 : 1;
  return (activity?.devices ?? 0) > own + (elsewhere?.devices.length ?? 0);
}

/**
 * An administrator accepted scans into the pass, or one of them was undone: the count here follows. Or somebody else scanned here for the
 * first time: what this device shows is the area's no more.
 */
async function handleOthersWork({ state, reload, show }: StationCore, area: Area, listed: Listed) {
  const before = state();
  const accepted = before.elsewhere?.accepted ?? 0;
  const devices = area.activity?.devices ?? 0;
  const { readAnew } = listed;
  // Of a server that names no devices they are asked about once for each number of them in a pass.
  const isRead = readAnew?.pass === before.pass && readAnew.devices === devices;
  const hasMore = hasMoreDevices(before, area) && !isRead;
  if (!before.isPrepared || ((area.accepted ?? accepted) === accepted && !hasMore)) return;
  await reload();
  const { elsewhere, pass, block } = state();
  // Without an answer it is the one from before: the next list asks again.
  if (elsewhere !== before.elsewhere) listed.readAnew = { pass: before.pass, devices };
  const more = (elsewhere?.accepted ?? 0) - accepted;
  if (more <= 0 || pass !== before.pass || block !== null) return;
  const isAmongItems = acceptedAmongItems(elsewhere) > acceptedAmongItems(before.elsewhere);
  show(notices.accepted(more, isAmongItems ? itemsScanned(state()) : null));
}

async function handleAreas(core: StationCore, areas: Cached<Area[]>, before: Listed): Promise<void> {
  const { device, area, state } = core;
  if (areas.from !== "server") return;
  before.last = areas;
  before.isSkipped = state().isFinishing;
  if (before.isSkipped) return;
  const isChanging = await isPassChanging(device.database, area.sessionId, area.areaId);
  if (state().isFinishing) before.isSkipped = true;
  else if (!isChanging) await followListed(core, areas.value, before);
}

/** @param goesOn told where the area is as it was, once its session is active again; null where that had not ended */
async function followListed(
  core: StationCore,
  areas: readonly Area[],
  before: Listed,
  goesOn: Notice | null = null,
): Promise<void> {
  const { area, state, show, change } = core;
  const { pass, block } = state();
  const listed = areas.find((each) => each._id === area.areaId);
  // In its pass a closed area stays closed, whatever an older list says.
  const closedPass = before.closedPass ?? pass;
  const isOpenAgain =
    block === "area_closed" && listed?.status !== "closed" && (listed?.pass ?? closedPass) > closedPass;
  const isReopened = goesOn !== null || isOpenAgain;
  if (block !== null && !isReopened) return;
  if (listed === undefined) return show(notices.areaDeleted());
  if (listed.status !== "closed") before.countingPass = Math.max(before.countingPass, listed.pass);
  // A pass that was listed and is no longer is over for good, though a lower one is shown: the server has ended this count.
  const isOver = listed.pass >= pass || before.countingPass >= pass;
  if (listed.status === "closed" && isOver) return show(notices.areaClosed());
  if (isOthersAlone(listed)) return show(notices.areaAssigned(messages.nowAssignedTo(namesOf(listed))));
  if (listed.pass <= pass) {
    if (isReopened) change({ type: "reopened", ...(goesOn === null ? {} : { notice: goesOn }) });
    // A lower one is that of a server that was restored, or of a list from before: what the server answers decides.
    return listed.pass === pass ? handleOthersWork(core, listed, before) : core.reload();
  }
  before.begunAgain = before.session === undefined ? listed : null;
  const only = before.session === undefined ? {} : { only: countedOnly(listed, before.session) };
  const isRestored = listed.restored === true;
  // What counts again is shown together with the news of it; until then nothing is taken where the area was closed.
  if (isRestored) await core.reload().catch(globalThis.reportError);
  // It may have ended again while that was read.
  if (goesOn !== null && !isBack(core, before)) return;
  if (isReopened) change({ type: "reopened" });
  if (state().pass >= listed.pass) return change({ type: "patched", patch: only });
  const notice = isRestored ? notices.countRestored() : notices.startedAgainByOthers(listed);
  change({ type: "started_again", pass: listed.pass, notice, ...only });
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

/** What the requests are to this person, by what this device has of their scans. */
async function concernOf(
  { device, area, userId }: StationCore,
  requests: readonly RequestedRecount[],
): Promise<RecountConcern> {
  const scans = await readSession(device.database, area.sessionId);
  const own = new Set(scans.flatMap((scan) => (scan.scannedById === userId ? scan.areaId : [])));
  if (requests.some((request) => own.has(request.area._id))) return "counted";
  return requests.some((request) => isMine(request.area)) ? "assigned" : "others";
}

/** Tells of what an administrator wants counted again elsewhere in the store; of this area its new pass tells. */
function followRecounts(core: StationCore): () => void {
  const { device, area, server, feedback, state, show } = core;
  const tell = async (elsewhere: readonly RequestedRecount[]) => {
    const concern = await concernOf(core, elsewhere);
    // Where nothing more can be counted the banner tells why, and the dashboard comes next.
    if (state().block === null) show(notices.recountsRequested(elsewhere, concern));
    else feedback.play("call");
  };
  const follow = createRecountNews(device.database, (news) => {
    const elsewhere = news.filter(
      (recount) => recount.storeId === area.storeId && recount.area._id !== area.areaId,
    );
    if (elsewhere.length > 0) tell(elsewhere).catch(globalThis.reportError);
  });
  return server.watchAreaBook(follow);
}

/** Watches the area and its session: closed, reopened, deleted or started again by others, or the session ended. */
export function followArea(core: StationCore): () => void {
  const { server, area } = core;
  const listed: Listed = {
    countingPass: 0,
    session: undefined,
    begunAgain: null,
    closedPass: null,
    readAnew: null,
    last: null,
    isSkipped: false,
  };
  const followAreas = (areas: Cached<Area[]>) =>
    void handleAreas(core, areas, listed).catch(globalThis.reportError);
  const ends = [
    server.watchSessions(
      (sessions) => void handleSessions(core, sessions, listed).catch(globalThis.reportError),
    ),
    server.watchAreas(area.locationId, followAreas),
    followRecounts(core),
    follow(
      core,
      ({ isFinishing }) => isFinishing,
      (isFinishing) => {
        if (!isFinishing && listed.isSkipped && listed.last !== null) followAreas(listed.last);
        return undefined;
      },
    ),
    follow(
      core,
      ({ block }) => block === "area_closed",
      (isClosed) => {
        listed.closedPass = isClosed ? core.state().pass : null;
        return undefined;
      },
    ),
    follow(
      core,
      ({ block }) => block === "no_session",
      (isEnded) => {
        if (!isEnded) return undefined;
        // A list that was asked for before the end must not overrule it, and the next may say again what the last one said.
        server.refreshSessions();
        return followSessionEnd(core);
      },
    ),
  ];
  return () => {
    for (const end of ends) end();
  };
}
