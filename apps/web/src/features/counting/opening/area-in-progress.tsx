import { Button, type ButtonProps, Stack, Text } from "@mantine/core";
import type { Area } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type CountingDevice, isCountedHere, readPass, unitsOf } from "../../../offline/offline.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorMessage } from "../../../ui/error-box.tsx";
import { countText, dateTimeText, namesText } from "../../../ui/formats.ts";
import { useOnePress } from "../../../ui/pressing/one-press.ts";
import { useScanWarning } from "../device/scan-warning.tsx";
import { deviceRoots } from "../lists/counter-queries.ts";
import { messages } from "../messages.ts";
import type { AreaOpening, AreaOpeningState, Question } from "./area-opening.ts";
import type { CountingArea } from "./counting-area.ts";

interface AskAboutAreaProps {
  readonly device: CountingDevice;
  readonly opening: AreaOpening;
  readonly state: AreaOpeningState;
  readonly onScanIgnored: () => void;
}

interface AreaInProgressProps extends AskAboutAreaProps {
  readonly question: Question;
}

/** Who counted there, on how many devices, and when last; null where the server has nothing. */
function activitySentence(activity: Area["activity"]): string | null {
  if (activity === null || activity.devices === 0) return null;
  const who = activity.usernames.length === 0 ? "Somebody" : namesText(activity.usernames);
  const devices = countText(activity.devices, "device", "devices");
  const when = activity.lastScanAt === null ? "" : `, last on ${dateTimeText(activity.lastScanAt)}`;
  return `${who} counted here on ${devices}${when}.`;
}

/** How many units of this device count in the pass, sent or not: the server's list may be older than they are. */
function useOwnScans(device: CountingDevice, { sessionId, areaId, pass }: CountingArea): number {
  const rows = useQuery({
    queryKey: [deviceRoots.held, "own-scans", sessionId, areaId, pass],
    queryFn: () => readPass(device.database, sessionId, areaId, pass),
    staleTime: 0,
    gcTime: 0,
  }).data;
  return unitsOf(rows?.scans.filter(isCountedHere) ?? []);
}

const resetMeans = "Reset Area deletes the area's scans, of every device, and starts again from zero.";

/** What is counted in the area, and what continuing there means. */
function useCountedSoFar(device: CountingDevice, question: Question) {
  const own = useOwnScans(device, question.area);
  const activity = activitySentence(question.activity);
  if (activity === null && own === 0) {
    return {
      ...{ state: messages.nothingCounted, continueLabel: "Start Counting" },
      means: `Start Counting begins at zero. ${resetMeans}`,
    };
  }
  const state = activity ?? `You counted here on this device: ${countText(own, "item", "items")}.`;
  const means = `Continue Counting adds to what is counted there. ${resetMeans}`;
  return { state, continueLabel: "Continue Counting", means };
}

interface AnswerProps extends Pick<ButtonProps, "color" | "variant"> {
  readonly isBusy: boolean;
  readonly onPress: () => void;
  readonly isFirst?: boolean;
  readonly children: ReactNode;
}

/** One way on. */
function Answer({ isBusy, onPress, isFirst = false, children, ...look }: AnswerProps) {
  const press = useOnePress(onPress, isBusy);
  return (
    <Button
      {...{ ...look, size: "lg", disabled: isBusy }}
      {...(isFirst ? { "data-autofocus": true } : {})}
      onClick={press}
    >
      {children}
    </Button>
  );
}

function AreaInProgress({ device, question, opening, state, onScanIgnored }: AreaInProgressProps) {
  const { isResetting, resetError } = state;
  const scanWarning = useScanWarning(messages.decideFirst, onScanIgnored);
  const counted = useCountedSoFar(device, question);
  return (
    <Dialog
      title={`Area ${question.area.area.code} is in progress`}
      onClose={isResetting ? () => undefined : opening.cancel}
    >
      <Stack gap="sm">
        <Text>{counted.state}</Text>
        <Text>{counted.means}</Text>
        {scanWarning}
        {resetError === null ? null : <ErrorMessage message={resetError} />}
        <Answer isBusy={isResetting} onPress={opening.continueCounting} isFirst>
          {counted.continueLabel}
        </Answer>
        <Answer color="red" isBusy={isResetting} onPress={() => void opening.reset()}>
          {isResetting ? "Resetting..." : "Reset Area"}
        </Answer>
        <Answer variant="default" isBusy={isResetting} onPress={opening.cancel}>
          Cancel
        </Answer>
      </Stack>
    </Dialog>
  );
}

/** The prompt for an area in progress, where one is asked about: continue in it, or start it again from zero. */
export function AskAboutArea(props: AskAboutAreaProps) {
  const { question } = props.state;
  return question === null ? null : <AreaInProgress {...props} question={question} />;
}
