import { Button, Stack, Text } from "@mantine/core";
import type { Area } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { type CountingDevice, isCountedHere, readPass } from "../../offline/offline.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorMessage } from "../../ui/error-box.tsx";
import { countText, dateTimeText } from "../../ui/formats.ts";
import { deviceRoots } from "./counter-queries.ts";
import { words } from "./messages.ts";
import type { CountingPlace } from "./route-state.ts";
import { useScanWarning } from "./scan-warning.tsx";
import type { Question, Starting } from "./use-starting.ts";

interface AskAboutAreaProps {
  readonly device: CountingDevice;
  readonly starting: Starting;
  readonly onScanIgnored: () => void;
}

interface AreaInProgressProps extends AskAboutAreaProps {
  readonly question: Question;
}

function namesText(names: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "conjunction" }).format(names);
}

/** Who counted there, on how many devices, and when last; null where nothing stands that the server knows of. */
function activitySentence({ activity }: Pick<Area, "activity">): string | null {
  if (activity === null || activity.devices === 0) return null;
  const who = activity.usernames.length === 0 ? "Somebody" : namesText(activity.usernames);
  const devices = countText(activity.devices, "device", "devices");
  const when = activity.lastScanAt === null ? "" : `, last on ${dateTimeText(activity.lastScanAt)}`;
  return `${who} counted here on ${devices}${when}.`;
}

/** How many scans of this device count in the pass, sent or not: the server's list may be older than they are. */
function useOwnScans(device: CountingDevice, { sessionId, areaId, pass }: CountingPlace): number {
  const rows = useQuery({
    queryKey: [deviceRoots.held, "own-scans", sessionId, areaId, pass],
    queryFn: () => readPass(device.database, sessionId, areaId, pass),
    staleTime: 0,
    gcTime: 0,
  }).data;
  return rows?.scans.filter(isCountedHere).length ?? 0;
}

const resetMeans = "Reset Area deletes the area's scans, of every device, and starts again from zero.";

/** What stands in the area, and so what going on in it is called. */
function useStanding(device: CountingDevice, { area, place }: Question) {
  const own = useOwnScans(device, place);
  const activity = activitySentence(area);
  if (activity === null && own === 0) {
    return {
      ...{ state: words.nothingCounted, goOn: "Start Counting" },
      means: `Start Counting begins at zero. ${resetMeans}`,
    };
  }
  const state = activity ?? `You counted here on this device: ${countText(own, "item", "items")}.`;
  const means = `Continue Counting adds to what is counted there. ${resetMeans}`;
  return { state, goOn: "Continue Counting", means };
}

function AreaInProgress({ device, question, starting, onScanIgnored }: AreaInProgressProps) {
  const { isBusy, resetError, goOn, reset, cancel } = starting;
  const scanWarning = useScanWarning(words.decideFirst, onScanIgnored);
  const standing = useStanding(device, question);
  return (
    <Dialog title={`Area ${question.area.code} is in progress`} onClose={isBusy ? () => undefined : cancel}>
      <Stack gap="sm">
        <Text>{standing.state}</Text>
        <Text>{standing.means}</Text>
        {scanWarning}
        {resetError === null ? null : <ErrorMessage message={resetError} />}
        <Button size="lg" disabled={isBusy} onClick={goOn} data-autofocus>
          {standing.goOn}
        </Button>
        <Button size="lg" color="red" disabled={isBusy} onClick={() => void reset()}>
          {isBusy ? "Resetting..." : "Reset Area"}
        </Button>
        <Button size="lg" variant="default" disabled={isBusy} onClick={cancel}>
          Cancel
        </Button>
      </Stack>
    </Dialog>
  );
}

/** The prompt for an area in progress, where one is asked about: go on in it, or start it again from zero. */
export function AskAboutArea(props: AskAboutAreaProps) {
  const { question } = props.starting;
  return question === null ? null : <AreaInProgress {...props} question={question} />;
}
