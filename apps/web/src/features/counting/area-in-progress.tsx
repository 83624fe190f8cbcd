import { Button, Stack, Text } from "@mantine/core";
import type { Area } from "@stocktake/contract";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorMessage } from "../../ui/error-box.tsx";
import { countText, dateTimeText } from "../../ui/formats.ts";
import { words } from "./messages.ts";
import { useScanWarning } from "./scan-warning.tsx";
import type { Starting } from "./use-starting.ts";

interface AskAboutAreaProps {
  readonly starting: Starting;
  readonly onScanIgnored: () => void;
}

function namesText(names: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "conjunction" }).format(names);
}

/** Who counted there, on how many devices, and when last. */
function activitySentence({ activity }: Pick<Area, "activity">): string {
  if (activity === null || activity.devices === 0)
    return "Counting has begun here, but nothing is counted at the moment.";
  const who = activity.usernames.length === 0 ? "Somebody" : namesText(activity.usernames);
  const devices = countText(activity.devices, "device", "devices");
  const when = activity.lastScanAt === null ? "" : `, last on ${dateTimeText(activity.lastScanAt)}`;
  return `${who} counted here on ${devices}${when}.`;
}

function AreaInProgress({ area, starting, onScanIgnored }: AskAboutAreaProps & { readonly area: Area }) {
  const { isBusy, resetError, goOn, reset, cancel } = starting;
  const scanWarning = useScanWarning(words.decideFirst, onScanIgnored);
  return (
    <Dialog title={`Area ${area.code} is in progress`} onClose={isBusy ? () => undefined : cancel}>
      <Stack gap="sm">
        <Text>{activitySentence(area)}</Text>
        <Text>
          Continue Counting adds to what is counted there. Reset Area deletes the area's scans, of every
          device, and starts again from zero.
        </Text>
        {scanWarning}
        {resetError === null ? null : <ErrorMessage message={resetError} />}
        <Button size="lg" disabled={isBusy} onClick={goOn} data-autofocus>
          Continue Counting
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
export function AskAboutArea({ starting, onScanIgnored }: AskAboutAreaProps) {
  const { question } = starting;
  if (question === null) return null;
  return <AreaInProgress area={question.area} starting={starting} onScanIgnored={onScanIgnored} />;
}
