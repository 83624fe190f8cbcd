import { CloseButton } from "@mantine/core";
import type { Area } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { CountingDevice, PendingOperation } from "../../../offline/offline.ts";
import type { SoundName } from "../../../scanner/feedback.ts";
import { Notice } from "../../../ui/notice.tsx";
import { deviceRoots } from "../lists/counter-queries.ts";
import { messages } from "../messages.ts";
import { forgetUntold, outcomeOf, readUntold } from "../opening/untold-finishes.ts";

interface CompletedAreasProps {
  readonly device: CountingDevice;
  readonly areas: readonly Area[] | undefined;
  readonly play: (sound: SoundName) => void;
}

/** Tells once, with the sound of a match, of each area that became complete after it was left: sent later, or by the totals of others. */
export function CompletedAreas({ device, areas, play }: CompletedAreasProps) {
  const { data: untold } = useQuery({
    queryKey: [deviceRoots.notes, "untold"],
    queryFn: () => readUntold(device.database),
    staleTime: 0,
  });
  const [told, setTold] = useState<readonly PendingOperation[]>([]);
  const handled = useRef(new Set<number>());
  const sound = useRef(play);
  useEffect(() => {
    sound.current = play;
  });
  useEffect(() => {
    if (untold === undefined || areas === undefined) return;
    const news = untold.filter((each) => !handled.current.has(each.id) && outcomeOf(each, areas) !== "open");
    if (news.length === 0) return;
    for (const { id } of news) handled.current.add(id);
    const ids = news.map(({ id }) => id);
    forgetUntold(device, ids).catch(globalThis.reportError);
    const complete = news.filter(
      (each, index) =>
        outcomeOf(each, areas) === "complete" &&
        news.findIndex(({ areaId }) => areaId === each.areaId) === index,
    );
    if (complete.length === 0) return;
    setTold((before) => [...before, ...complete]);
    sound.current("fanfare");
  }, [device, untold, areas]);
  return told.map(({ id, areaId, areaCode, answer }) => {
    const { code, name } = areas?.find(({ _id }) => _id === areaId) ?? { code: areaCode, name: areaCode };
    const isMatched = answer?.kind === "finish" && answer.matched;
    const close = () => setTold((before) => before.filter((each) => each.id !== id));
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
