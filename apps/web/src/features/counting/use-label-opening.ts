import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { ApiError, NoAnswerError } from "../../http/errors.ts";
import type { CountingDevice } from "../../offline/offline.ts";
import { type LabelPorts, lookUpLabel, readKnowledge, selectionOf } from "./area-labels.ts";
import { words } from "./messages.ts";
import type { Selection } from "./start-counting.ts";
import type { Starting } from "./use-starting.ts";

/** What came of a scanned area label. */
export type LabelOutcome =
  | { readonly kind: "refused"; readonly error: string }
  /** It is the label of the area that is open. */
  | { readonly kind: "here" }
  /** The area opens, or a person is asked about it. */
  | { readonly kind: "opened"; readonly selection: Selection };

/** Opens areas by their printed labels, by the rules of choosing them. */
export interface LabelOpening {
  /** True from a label to what comes of it: meanwhile nothing must be counted in the area that is being left. */
  readonly isUnderway: () => boolean;
  /** The same, for what is drawn. */
  readonly isBusy: boolean;
  readonly open: (code: string) => Promise<LabelOutcome>;
}

async function openLabelled(
  ports: LabelPorts,
  starting: Pick<Starting, "start">,
  presentAreaId: string | null,
  code: string,
): Promise<LabelOutcome> {
  const found = await lookUpLabel(ports, code);
  if (found === null) return { kind: "refused", error: words.labelOfNoArea };
  if (found.area._id === presentAreaId) return { kind: "here" };
  const selection = selectionOf(found);
  const decision = starting.start(selection, await readKnowledge(ports, found));
  return decision.kind === "refused" ? decision : { kind: "opened", selection };
}

interface LabelSurroundings {
  readonly device: CountingDevice;
  readonly userId: string;
  /** Null understands the labels of every store in sight. */
  readonly storeId: string | null;
  /** The area that is open; null on the dashboard. */
  readonly presentAreaId: string | null;
}

export function useLabelOpening(
  { device, userId, storeId, presentAreaId }: LabelSurroundings,
  start: Starting["start"],
): LabelOpening {
  const client = useQueryClient();
  const underway = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const open = useCallback(
    async (code: string): Promise<LabelOutcome> => {
      underway.current = true;
      setBusy(true);
      try {
        return await openLabelled({ device, client, userId, storeId }, { start }, presentAreaId, code);
      } catch (error) {
        if (!(error instanceof NoAnswerError) && !(error instanceof ApiError)) globalThis.reportError(error);
        return { kind: "refused", error: words.labelNotRead };
      } finally {
        underway.current = false;
        setBusy(false);
      }
    },
    [device, client, userId, storeId, presentAreaId, start],
  );
  const isUnderway = useCallback(() => underway.current, []);
  return { isUnderway, isBusy, open };
}
