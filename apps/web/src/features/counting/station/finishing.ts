import { countingConstants } from "@stocktake/contract";
import type { PendingOperation } from "../../../offline/offline.ts";
import { mismatchOf } from "../mismatch.ts";
import { countedArea } from "../opening/counting-area.ts";
import { forgetActiveArea, readActiveArea } from "../opening/last-area.ts";
import { operateAndWait } from "../opening/operate-and-wait.ts";
import { tellLater } from "../opening/unacknowledged-finishes.ts";
import { passAfterMismatch } from "./area-state.ts";
import { questionAbout, questionAboutUnknown } from "./finish-question.ts";
import { notices } from "./notices.ts";
import { follow, type StationCore } from "./station-core.ts";
import { type Declared, type FinishQuestion, itemsScanned, type TotalOf } from "./station-state.ts";

async function forget({ device, area, userId }: StationCore): Promise<void> {
  const active = await readActiveArea(device.database, userId);
  // Another tab may have gone on to another area by now.
  if (active?.areaId === area.areaId) await forgetActiveArea(device.database, userId);
}

/** Not waited for: what is stored is finished, whether or not the dashboard tells of it. */
function noteUnacknowledged({ device }: StationCore, operation: PendingOperation): void {
  tellLater(device, operation).catch(globalThis.reportError);
}

/** Shows what the server made of a total that was declared here, and goes on where counting does. */
export async function handleAnswer(core: StationCore, operation: PendingOperation): Promise<void> {
  const { area, state, show, change } = core;
  const { answer, refusal } = operation;
  if (refusal?.code === "COUNT_CHANGED") {
    const before = itemsScanned(state());
    await core.reload();
    const items = itemsScanned(state());
    return show(notices.countChanged(refusal, items === before ? null : items));
  }
  if (refusal !== null) {
    show(notices.finishRefused(refusal));
    // The area is in a pass that this device has not heard of: what is scanned on in the one before would not count.
    if (refusal.code === "PASS_OVER") await core.reload();
    return;
  }
  if (answer?.kind !== "finish" || operation.kind !== "finish") return;
  if (answer.waitingFor !== undefined) {
    noteUnacknowledged(core, operation);
    show(notices.ownTotalKept(answer.waitingFor));
    return forget(core);
  }
  if (answer.matched) {
    show(notices.areaComplete(answer.serverTotal));
    return forget(core);
  }
  const mismatch = mismatchOf(operation);
  if (mismatch === null) return;
  const pass = await passAfterMismatch(core, { ...area, pass: state().pass });
  change({ type: "started_again", pass, notice: notices.mismatch(mismatch) });
}

async function send(core: StationCore, { declaredTotal, of }: Declared): Promise<void> {
  const { device, area, state, show, change, userId } = core;
  const { pass, knownAccepted, tagsUnheard, only } = state();
  const counted = countedArea(area, pass);
  const result = await operateAndWait(device, {
    kind: "finish",
    area: counted,
    declaredTotal,
    knownAccepted,
    madeById: userId,
    ...(tagsUnheard ? { tagsUnheard } : {}),
    ...(of === "own" ? { ownOf: userId } : {}),
    ...(only === null ? {} : { ofList: true }),
  });
  if (result.kind === "settled") await handleAnswer(core, result.operation);
  else {
    noteUnacknowledged(core, result.operation);
    show(notices.finishQueued());
    await forget(core);
  }
  change({ type: "patched", patch: { dialog: null } });
}

async function whileFinishing({ change, server }: StationCore, work: () => Promise<void>): Promise<void> {
  change({ type: "patched", patch: { isFinishing: true, finishQuestion: null } });
  try {
    await work();
  } finally {
    change({ type: "patched", patch: { isFinishing: false } });
    server.refreshAreas();
  }
}

/** Opens the dialog that asks for the total. What a person sees of the count from here on is what the total is about. */
export function askForTotal({ state, change }: StationCore): void {
  const knownAccepted = state().elsewhere?.accepted ?? 0;
  const tagsUnheard = state().unheardTags.size > 0;
  change({ type: "patched", patch: { dialog: "finish", knownAccepted, tagsUnheard, finishQuestion: null } });
}

function sendUnlessAsked(
  core: StationCore,
  declared: Declared,
  ask: (core: StationCore, declared: Declared) => Promise<FinishQuestion | null>,
): Promise<void> {
  return whileFinishing(core, async () => {
    const { pass } = core.state();
    const finishQuestion = await ask(core, declared);
    // Somebody else started the area again, or closed it, while the server was asked.
    if (core.state().pass !== pass || core.state().block !== null) return;
    if (finishQuestion === null) return send(core, declared);
    core.change({ type: "patched", patch: { finishQuestion } });
  });
}

/**
 * Sends the declared total, or asks first what is in doubt about it. Rejects where the device could not keep it, with the
 * dialog still open.
 */
export function finishArea(core: StationCore, declared: Declared): Promise<void> {
  return sendUnlessAsked(core, declared, questionAbout);
}

/** Goes on with the total as one of what the person says, and does not ask that again. */
export async function answerWhose(core: StationCore, of: TotalOf): Promise<void> {
  const { finishQuestion } = core.state();
  if (finishQuestion?.asks !== "whose") return;
  const { declaredTotal } = finishQuestion;
  await sendUnlessAsked(core, { declaredTotal, of }, questionAboutUnknown);
}

/** Sends the total without the unknown scans where they were counted in, else as it was declared. */
export async function answerUnknown(core: StationCore, wereIncluded: boolean): Promise<void> {
  const { finishQuestion } = core.state();
  if (finishQuestion?.asks !== "unknown") return;
  const { counted, of } = finishQuestion;
  const declaredTotal = wereIncluded ? counted : finishQuestion.declaredTotal;
  await whileFinishing(core, () => send(core, { declaredTotal, of }));
}

export async function exitArea(core: StationCore): Promise<void> {
  await forget(core);
  await core.pages.leave();
}

/**
 * Goes back to the dashboard three seconds after the area is done (specification, section 9), but not while a label's area
 * is being opened, or asked about.
 */
export function leaveWhenDone(core: StationCore): () => void {
  const { timers, pages } = core;
  return follow(
    core,
    ({ block, opening }) => block === "finished" && !opening.isLabelOpening && opening.question === null,
    (isDone) =>
      isDone ? timers.after(countingConstants.areaCompleteRedirectMs, () => void pages.leave()) : undefined,
  );
}
