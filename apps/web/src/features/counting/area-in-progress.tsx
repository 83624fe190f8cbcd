import { Button, Stack, Text } from "@mantine/core";
import type { Area } from "@stocktake/contract";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorMessage } from "../../ui/error-box.tsx";
import { countText, dateTimeText } from "../../ui/formats.ts";

interface AreaInProgressProps {
  readonly area: Area;
  readonly isBusy: boolean;
  readonly error: string | null;
  readonly onContinue: () => void;
  readonly onReset: () => void;
  readonly onCancel: () => void;
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

/** The prompt for an area in progress: go on in it, or start it again from zero. */
export function AreaInProgress({ area, isBusy, error, onContinue, onReset, onCancel }: AreaInProgressProps) {
  return (
    <Dialog title={`Area ${area.code} is in progress`} onClose={isBusy ? () => undefined : onCancel}>
      <Stack gap="sm">
        <Text>{activitySentence(area)}</Text>
        <Text>
          Continue Counting adds to what is counted there. Reset Area deletes the area's scans, of every
          device, and starts again from zero.
        </Text>
        {error === null ? null : <ErrorMessage message={error} />}
        <Button size="lg" disabled={isBusy} onClick={onContinue} data-autofocus>
          Continue Counting
        </Button>
        <Button size="lg" color="red" disabled={isBusy} onClick={onReset}>
          {isBusy ? "Resetting..." : "Reset Area"}
        </Button>
        <Button size="lg" variant="default" disabled={isBusy} onClick={onCancel}>
          Cancel
        </Button>
      </Stack>
    </Dialog>
  );
}
