import { CloseButton } from "@mantine/core";
import type { Area } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { CountingDevice, PendingOperation } from "../../../offline/offline.ts";
import type { SoundName } from "../../../scanner/feedback.ts";
import { Notice } from "../../../ui/notice.tsx";
import { deviceRoots } from "../lists/counter-queries.ts";
import { messages } from "../messages.ts";
import { acknowledge, outcomeOf, readUnacknowledged } from "../opening/unacknowledged-finishes.ts";

interface CompletedAreasProps {
  readonly device: CountingDevice;
  readonly areas: readonly Area[] | undefined;
  readonly play: (sound: SoundName) => void;
}

/** Tells once, with the sound of a match, of each area that became complete after it was left: sent later, or by the totals of others. */
export function CompletedAreas({ device, areas, play }: CompletedAreasProps) {
  const { data: unacknowledged } = useQuery({
    queryKey: [deviceRoots.notes, "unacknowledged"],
    queryFn: () => readUnacknowledged(device.database),
    staleTime: 0,
  });
  const [shown, setShown] = useState<readonly PendingOperation[]>([]);
  const handled = useRef(new Set<number>());
  const sound = useRef(play);
  useEffect(() => {
    sound.current = play;
  });
  useEffect(() => {
    if (unacknowledged === undefined || areas === undefined) return;
    const news = unacknowledged.filter(
      (each) => !handled.current.has(each.id) && outcomeOf(each, areas) !== "open",
    );
    if (news.length === 0) return;
    for (const { id } of news) handled.current.add(id);
    const ids = news.map(({ id }) => id);
    acknowledge(device, ids).catch(globalThis.reportError);
    const complete = news.filter(
      (each, index) =>
        outcomeOf(each, areas) === "complete" &&
        news.findIndex(({ areaId }) => areaId === each.areaId) === index,
    );
    if (complete.length === 0) return;
    setShown((before) => [...before, ...complete]);
    sound.current("fanfare");
  }, [device, unacknowledged, areas]);
  return shown.map(({ id, areaId, areaCode, answer }) => {
    const { code, name } = areas?.find(({ _id }) => _id === areaId) ?? { code: areaCode, name: areaCode };
    const isMatched = answer?.kind === "finish" && answer.matched;
    const close = () => setShown((before) => before.filter((each) => each.id !== id));
    return (
      <Notice
        key={id}
        kind="success"
        role="status"
        title={messages.areaCompleteOf(code, name)}
        action={<CloseButton size="lg" aria-label={messages.dismiss} onClick={close} />}
      >
        {isMatched ? messages.totalMatched : null}
      </Notice>
    );
  });
}
