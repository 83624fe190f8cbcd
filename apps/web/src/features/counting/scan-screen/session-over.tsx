import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Notice } from "../../../ui/notice.tsx";
import { CountFinished } from "../dashboard/count-finished.tsx";
import { counterSessionsQuery } from "../lists/counter-queries.ts";
import type { Station } from "../station/station.ts";
import { type StationState, visibleNotice } from "../station/station-state.ts";
import { StatusBanner } from "./station-display.tsx";
import type { StationPage } from "./use-station.ts";

interface SessionOverProps {
  readonly page: StationPage;
  readonly station: Pick<Station, "area" | "exit">;
  readonly state: StationState;
}

/** What takes the place of the count once its session is over: it went well, so thanks, and no alarm before somebody scans on. */
export function SessionOver({ page: { device, userId }, station, state }: SessionOverProps) {
  const { area, exit } = station;
  const sessions = useQuery(counterSessionsQuery(device, userId)).data?.value;
  const endedAt = sessions?.find(({ _id }) => _id === area.sessionId)?.endedAt ?? null;
  const notice = visibleNotice(state);
  return (
    <>
      {notice?.isAfterEnd === true ? <StatusBanner notice={notice} isReady image={null} here={null} /> : null}
      <CountFinished
        device={device}
        userId={userId}
        session={{ _id: area.sessionId, endedAt, store: area.store.name }}
      />
      <Button size="lg" onClick={() => void exit()}>
        Exit Area
      </Button>
      {notice === null || notice.isAfterEnd === true ? null : (
        <Notice kind="info" role="status">
          {notice.text}. {notice.detail}
        </Notice>
      )}
    </>
  );
}
