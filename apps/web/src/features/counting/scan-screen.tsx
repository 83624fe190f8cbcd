import { Button, Stack } from "@mantine/core";
import { countingConstants } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { useSignedIn } from "../../identity/identity.ts";
import { type CountingDevice, useDeviceState } from "../../offline/offline.ts";
import { ErrorMessage } from "../../ui/error-box.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { counterAreasQuery, counterSessionsQuery } from "./counter-queries.ts";
import { words } from "./messages.ts";
import { isComplete, readRouteState, type ScanPlace } from "./route-state.ts";
import { type CameraWish, ScanStation } from "./scan-station.tsx";
import { activeSessionOf } from "./start-counting.ts";

function MissingData({ isStoreMissing }: { isStoreMissing: boolean }) {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(
      () => void navigate("/counter", { replace: true }),
      countingConstants.missingDataRedirectMs,
    );
    return () => clearTimeout(timer);
  }, [navigate]);
  return <ErrorMessage message={words.missingData} advice={isStoreMissing ? words.storeMissing : null} />;
}

/** Where counting cannot begin: why, and the way out. */
function NoPlace({ message }: { message: string }) {
  const navigate = useNavigate();
  return (
    <Stack gap="sm">
      <ErrorMessage message={message} />
      <Button size="lg" onClick={() => void navigate("/counter", { replace: true })}>
        Exit Area
      </Button>
    </Stack>
  );
}

/** That the storage was closed and opened again beneath the screen, until somebody has been told. */
interface Reopening {
  readonly isReopened: boolean;
  readonly onTold: () => void;
}

interface FoundPlaceProps {
  readonly device: CountingDevice;
  readonly place: ScanPlace;
  readonly camera: CameraWish;
  readonly reopening: Reopening;
}

/** Opens the station, after finding the session and the pass where the route state does not name them. */
function FoundPlace({ device, place, camera, reopening }: FoundPlaceProps) {
  const { user } = useSignedIn();
  // As the station was opened: a later pass rewrites the history entry, and must not start the station over.
  const [opened, setOpened] = useState(isComplete(place) ? place : null);
  const enabled = opened === null;
  const sessions = useQuery({ ...counterSessionsQuery(device, user._id), enabled });
  const areas = useQuery({ ...counterAreasQuery(device, user._id, place.locationId), enabled });
  if (opened !== null) {
    return <ScanStation device={device} place={opened} camera={camera} {...reopening} />;
  }
  if (sessions.isPending || areas.isPending) return <LoadingState label="Opening the area" />;
  const session = activeSessionOf(sessions.data?.value ?? [], place.storeId);
  const area = areas.data?.value.find((each) => each._id === place.areaId);
  if (session === null) return <NoPlace message={words.noSession} />;
  if (area === undefined) return <NoPlace message={words.selectionGone} />;
  setOpened({ ...place, sessionId: session._id, pass: area.pass });
  return null;
}

function OpenedScreen(props: Omit<FoundPlaceProps, "place">) {
  const { state } = useLocation();
  const route = readRouteState(state);
  if (route.kind === "missing") return <MissingData isStoreMissing={route.isStoreMissing} />;
  return <FoundPlace key={route.place.areaId} {...props} place={route.place} />;
}

/** The scanning screen (/counter/scan). Without a place to keep scans it does not begin, and says why. */
export function ScanScreen() {
  const state = useDeviceState();
  // Kept from area to area: a label that the camera read opens the next one.
  const [isWanted, setWanted] = useState(false);
  const camera = useMemo(() => ({ isWanted, setWanted }), [isWanted]);
  const [told, setTold] = useState<CountingDevice | null>(null);
  const device = state.status === "ready" ? state.device : null;
  if (told === null && device !== null) setTold(device);
  const onTold = useCallback(() => setTold(device), [device]);
  switch (state.status) {
    case "opening":
      return <LoadingState label="Opening this device" />;
    case "unavailable":
      return <ErrorMessage message={state.reason} />;
    case "ready": {
      const reopening = { isReopened: told !== null && told !== state.device, onTold };
      return <OpenedScreen device={state.device} camera={camera} reopening={reopening} />;
    }
  }
}
