import { Button, Stack } from "@mantine/core";
import { countingConstants } from "@stocktake/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { type NavigateFunction, useLocation, useNavigate } from "react-router";
import * as z from "zod/mini";
import { useSignedIn } from "../../../identity/identity.ts";
import { useDeviceState } from "../../../offline/offline.ts";
import { ErrorMessage } from "../../../ui/error-box.tsx";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { counterAreasQuery, counterSessionsQuery, deviceRoots } from "../lists/counter-queries.ts";
import { messages } from "../messages.ts";
import { type CountingArea, isComplete, SelectedArea } from "../opening/counting-area.ts";
import { activeSessionOf, countedOnly } from "../opening/start-counting.ts";
import type { Visit } from "../station/station-core.ts";
import { ScanStation } from "./scan-station.tsx";
import type { StationPage } from "./use-station.ts";

interface MissingDataProps {
  readonly isStoreMissing: boolean;
  readonly navigate: NavigateFunction;
}

function MissingData({ isStoreMissing, navigate }: MissingDataProps) {
  useEffect(() => {
    const timer = setTimeout(
      () => void navigate("/counter", { replace: true }),
      countingConstants.missingDataRedirectMs,
    );
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <ErrorMessage message={messages.missingData} advice={isStoreMissing ? messages.storeMissing : null} />
  );
}

/** Where counting cannot begin: why, and the way out. */
function NoArea({ message, navigate }: { message: string; navigate: NavigateFunction }) {
  return (
    <Stack gap="sm">
      <ErrorMessage message={message} />
      <Button size="lg" onClick={() => void navigate("/counter", { replace: true })}>
        Exit Area
      </Button>
    </Stack>
  );
}

/** Finds the session and the pass where the route state does not name them; else returns the message that says why not. */
async function findCountingArea(
  { client, device, userId }: StationPage,
  area: SelectedArea,
): Promise<CountingArea | string> {
  const [sessions, areas] = await Promise.all([
    client.fetchQuery(counterSessionsQuery(device, userId)),
    client.fetchQuery(counterAreasQuery(device, userId, area.locationId)),
  ]);
  const session = activeSessionOf(sessions.value, area.storeId);
  const listed = areas.value.find((each) => each._id === area.areaId);
  if (session === null) return messages.noSession;
  if (listed === undefined) return messages.selectionGone;
  const only = countedOnly(listed, session);
  return { ...area, sessionId: session._id, pass: listed.pass, ...(only === null ? {} : { only }) };
}

/** Opens the station, once the area's session and pass are known. */
function SelectedAreaScreen({ page, area }: { page: StationPage; area: SelectedArea }) {
  const isKnown = isComplete(area);
  const found = useQuery({
    queryKey: [deviceRoots.held, "counting-area", page.userId, area.areaId],
    queryFn: () => findCountingArea(page, area),
    enabled: !isKnown,
    // As the station was opened: what changes later must not start it over.
    staleTime: "static",
    gcTime: 0,
  });
  if (isKnown) return <ScanStation page={page} area={area} />;
  if (found.isPending) return <LoadingState label="Opening the area" />;
  const counting = found.data ?? messages.noSession;
  if (typeof counting === "string") return <NoArea message={counting} navigate={page.navigate} />;
  return <ScanStation page={page} area={counting} />;
}

const WithStore = z.object({ storeId: z.string().check(z.minLength(1)) });

/** The scanning screen (/counter/scan). Without storage for scans it does not begin, and shows why. */
export function ScanScreen() {
  const device = useDeviceState();
  const visit = useRef<Visit>({ isCameraWanted: false, device: null });
  const { state } = useLocation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { user } = useSignedIn();
  if (device.status === "opening") return <LoadingState label="Opening this device" />;
  if (device.status === "unavailable") return <ErrorMessage message={device.reason} />;
  // The route state is in the history entry and so survives a reload.
  const route = z.safeParse(SelectedArea, state);
  if (!route.success) {
    const isStoreMissing = state !== null && !z.safeParse(WithStore, state).success;
    return <MissingData isStoreMissing={isStoreMissing} navigate={navigate} />;
  }
  const who = { userId: user._id, username: user.username };
  const page = { device: device.device, ...who, client, navigate, visit: visit.current };
  return <SelectedAreaScreen key={route.data.areaId} page={page} area={route.data} />;
}
