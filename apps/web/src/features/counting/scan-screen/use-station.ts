import type { QueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import type { NavigateFunction } from "react-router";
import { useLiveEvents } from "../../../http/live-events.tsx";
import { askForPersistence, browserPorts, type CountingDevice } from "../../../offline/offline.ts";
import { createFeedback } from "../../../scanner/feedback.ts";
import { keepScreenAwake } from "../../../scanner/wake-lock.ts";
import { createQueryServer } from "../lists/query-server.ts";
import type { CountingArea } from "../opening/counting-area.ts";
import { createStation, type Station } from "../station/station.ts";
import type { StationServices, Visit } from "../station/station-core.ts";
import type { StationState } from "../station/station-state.ts";

/** What a page brings to its station. */
export interface StationPage {
  readonly device: CountingDevice;
  readonly userId: string;
  readonly username: string;
  readonly client: QueryClient;
  readonly navigate: NavigateFunction;
  readonly visit: Visit;
}

function servicesOf(
  { device, userId, username, client, navigate, visit }: StationPage,
  area: CountingArea,
): StationServices {
  return {
    ...{ device, userId, username, visit, area, askForPersistence },
    server: createQueryServer(device, client, userId),
    feedback: createFeedback(device.database),
    timers: browserPorts.timers,
    now: () => performance.now(),
    pages: {
      openArea: (next) => void navigate("/counter/scan", { state: next, replace: true }),
      rememberArea: (current) => void navigate(".", { replace: true, state: current }),
      leave: async () => navigate("/counter"),
    },
  };
}

/** A station of the area for as long as the page shows it; a later pass of the area does not start it over. */
export function useStation(page: StationPage, area: CountingArea): [Station, StationState] {
  const [station] = useState(() => createStation(servicesOf(page, area)));
  useEffect(() => {
    const ends = [keepScreenAwake(), station.start()];
    return () => {
      for (const end of ends) end();
    };
  }, [station]);
  useLiveEvents(station.onLiveEvent);
  return [station, useSyncExternalStore(station.subscribe, station.getSnapshot)];
}
