import { createObservable } from "../../../events/observable.ts";
import type { CountingDevice, PendingOperation } from "../../../offline/offline.ts";
import { messages } from "../messages.ts";
import { type CountingArea, countedArea } from "./counting-area.ts";
import { type CountingServer, isServerFailure } from "./counting-server.ts";
import { operateAndWait } from "./operate-and-wait.ts";
import {
  decideStart,
  type Selection,
  type StartData,
  type StartDecision,
  type StartStep,
} from "./start-counting.ts";

/** An area in progress that a person has to decide on. */
export type Question = Extract<StartDecision, { kind: "ask" }>;

export interface AreaOpeningState {
  /** Why the last area that was asked for does not open, and the step that is missing, where one is. */
  readonly error: string | null;
  readonly missing: StartStep | null;
  readonly question: Question | null;
  readonly isResetting: boolean;
  readonly resetError: string | null;
  /** True from a label to its outcome: meanwhile nothing must be counted in the area that is being left. */
  readonly isLabelOpening: boolean;
}

/** What came of a scanned area label. */
export type LabelOutcome =
  | { readonly kind: "refused"; readonly error: string }
  /** All that is missing are the store's products, which may be on their way. */
  | { readonly kind: "unsynced"; readonly error: string; readonly selection: Selection }
  /** It is the label of the area that is open. */
  | { readonly kind: "here" }
  /** The area opens, or a person is asked about it. */
  | { readonly kind: "opened"; readonly selection: Selection };

/** The way into an area: from the dashboard's choice, or from a printed label by the same rules. */
export interface AreaOpening {
  readonly get: () => AreaOpeningState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly start: (selection: Selection, data: StartData) => StartDecision;
  /** Shows why an area that was asked for in another way does not open; null takes it away. */
  readonly refuse: (error: string | null) => void;
  readonly openLabel: (code: string) => Promise<LabelOutcome>;
  readonly continueCounting: () => void;
  readonly reset: () => Promise<void>;
  readonly cancel: () => void;
}

export interface AreaOpeningServices {
  readonly device: CountingDevice;
  readonly userId: string;
  readonly server: Pick<CountingServer, "findLabel" | "loadStartData" | "refreshAreas">;
  /** Null opens the labels of every store that the person can access. */
  readonly storeId: string | null;
  /** The area that is open; null on the dashboard. */
  readonly currentAreaId: string | null;
  readonly enter: (area: CountingArea) => void;
}

export const nothingOpening: AreaOpeningState = {
  ...{ error: null, missing: null, question: null },
  ...{ isResetting: false, resetError: null, isLabelOpening: false },
};

function refusalOf(operation: PendingOperation): string | null {
  return operation.refusal === null ? null : `${messages.failedReset} ${operation.refusal.error}`;
}

/** The pass that counting begins in after a reset: the server's, or the expected one while it has not answered. */
function passAfter(operation: PendingOperation, area: CountingArea): number {
  if (operation.answer?.kind === "reset") return operation.answer.pass;
  return operation.kind === "reset" ? operation.expectedPass : area.pass;
}

/** Resets the area; resolves to the area to count in, or to why there is none. */
async function resetArea(
  { device, userId: madeById }: Pick<AreaOpeningServices, "device" | "userId">,
  area: CountingArea,
): Promise<CountingArea | string> {
  try {
    const { operation } = await operateAndWait(device, {
      kind: "reset",
      area: countedArea(area, area.pass),
      madeById,
    });
    return refusalOf(operation) ?? { ...area, pass: passAfter(operation, area) };
  } catch (error) {
    globalThis.reportError(error);
    return messages.resetNotSaved;
  }
}

export function createAreaOpening(services: AreaOpeningServices): AreaOpening {
  const { server, storeId, currentAreaId, enter } = services;
  const state = createObservable(nothingOpening);
  const patch = (changed: Partial<AreaOpeningState>) => state.set({ ...state.get(), ...changed });

  function start(selection: Selection, data: StartData): StartDecision {
    const decision = decideStart(selection, data);
    const { error, missing } = decision.kind === "refused" ? decision : nothingOpening;
    patch({ error, missing, question: decision.kind === "ask" ? decision : null });
    if (decision.kind === "start") enter(decision.area);
    return decision;
  }

  async function openFound(code: string): Promise<LabelOutcome> {
    const found = await server.findLabel(code, storeId);
    if (found === null) return { kind: "refused", error: messages.labelOfNoArea };
    const { area, location } = found;
    if (area._id === currentAreaId) return { kind: "here" };
    const selection = { storeId: location.storeId._id, locationId: location._id, areaId: area._id };
    const decision = start(selection, await server.loadStartData(location));
    if (decision.kind !== "refused") return { kind: "opened", selection };
    const { error, missing } = decision;
    return missing === "products" ? { kind: "unsynced", error, selection } : { kind: "refused", error };
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    start,
    refuse: (error) => patch({ error, missing: null }),
    async openLabel(code) {
      patch({ isLabelOpening: true });
      try {
        return await openFound(code);
      } catch (error) {
        if (!isServerFailure(error)) globalThis.reportError(error);
        return { kind: "refused", error: messages.labelNotRead };
      } finally {
        patch({ isLabelOpening: false });
      }
    },
    continueCounting() {
      const { question } = state.get();
      if (question !== null) enter(question.area);
    },
    async reset() {
      const { question } = state.get();
      if (question === null) return;
      patch({ isResetting: true, resetError: null });
      const result = await resetArea(services, question.area);
      if (typeof result !== "string") enter(result);
      patch({ isResetting: false, resetError: typeof result === "string" ? result : null });
      server.refreshAreas();
    },
    cancel: () => patch({ resetError: null, question: null }),
  };
}
