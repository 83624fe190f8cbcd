import { countingConstants } from "@stocktake/contract";
import type { PendingOperation } from "../../../offline/offline.ts";
import { countedArea } from "../opening/counting-area.ts";
import { forgetActiveArea } from "../opening/last-area.ts";
import { operateAndWait } from "../opening/operate-and-wait.ts";
import { passAfterMismatch } from "./area-state.ts";
import { notices } from "./notices.ts";
import { follow, type StationCore } from "./station-core.ts";

function forget({ device, userId }: StationCore): Promise<void> {
  return forgetActiveArea(device.database, userId);
}

async function takeAnswer(core: StationCore, operation: PendingOperation): Promise<void> {
  const { area, state, show, change } = core;
  const { answer, refusal } = operation;
  if (refusal !== null) return show(notices.finishRefused(refusal));
  if (answer?.kind !== "finish" || operation.kind !== "finish") return;
  if (answer.matched) {
    show(notices.areaComplete(answer.serverTotal));
    return forget(core);
  }
  const pass = await passAfterMismatch(core, { ...area, pass: state().pass });
  const notice = notices.mismatch(operation.declaredTotal, answer.serverTotal);
  change({ type: "started_again", pass, notice });
}

/** Sends the declared total. Rejects where the device could not keep it, with the dialog still open. */
export async function finishArea(core: StationCore, declaredTotal: number): Promise<void> {
  const { device, area, state, show, change } = core;
  change({ type: "patched", patch: { isFinishing: true } });
  try {
    const counted = countedArea(area, state().pass);
    const result = await operateAndWait(device, { kind: "finish", area: counted, declaredTotal });
    if (result.kind === "settled") await takeAnswer(core, result.operation);
    else {
      show(notices.finishQueued());
      await forget(core);
    }
    change({ type: "patched", patch: { dialog: null } });
  } finally {
    change({ type: "patched", patch: { isFinishing: false } });
    core.server.refreshAreas();
  }
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
