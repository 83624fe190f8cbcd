import { Button, Group, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, useSyncExternalStore } from "react";
import { useSignedIn } from "../../../identity/identity.ts";
import type { CountingDevice } from "../../../offline/offline.ts";
import { useFeedback } from "../../../scanner/use-feedback.ts";
import { UpdateNotice } from "../../../service-worker/update-notice.tsx";
import { Later } from "../../../ui/drawing/later.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { DeviceBadges } from "../device/device-badges.tsx";
import { DeviceSettings } from "../device/device-settings.tsx";
import { OnDevice } from "../device/on-device.tsx";
import { createQueryServer } from "../lists/query-server.ts";
import { messages } from "../messages.ts";
import { AskAboutArea } from "../opening/area-in-progress.tsx";
import { type AreaOpening, type AreaOpeningState, createAreaOpening } from "../opening/area-opening.ts";
import { useEnterArea } from "../opening/use-enter-area.ts";
import { RecountRequests } from "../recounts/recount-requests.tsx";
import { SearchTasks } from "../searching/search-tasks.tsx";
import { CompletedAreas } from "./completed-areas.tsx";
import { CountFinished, useFinishedSession } from "./count-finished.tsx";
import classes from "./counter-dashboard.module.css";
import {
  InsecureNotice,
  isResumedIn,
  QueueSection,
  Recounts,
  ResumeArea,
  ServerNotices,
  useAreaToResume,
} from "./counter-notices.tsx";
import { HowTo } from "./how-to.tsx";
import { Steps } from "./steps.tsx";
import { useCounterData } from "./use-counter-data.ts";
import { useDashboardScans } from "./use-dashboard-scans.ts";
import { useFirstLists } from "./use-first-lists.ts";
import { useProductSync } from "./use-product-sync.ts";
import { useSelection } from "./use-selection.ts";
import { useStart, useStepFocus } from "./use-start.ts";

/** The way into an area, followed. */
function useAreaOpening(device: CountingDevice, userId: string): [AreaOpening, AreaOpeningState] {
  const client = useQueryClient();
  const enter = useEnterArea();
  const [opening] = useState(() =>
    createAreaOpening({
      ...{ device, userId, storeId: null, currentAreaId: null },
      server: createQueryServer(device, client, userId),
      enter,
    }),
  );
  return [opening, useSyncExternalStore(opening.subscribe, opening.get)];
}

function ReadyDashboard({ device }: { device: CountingDevice }) {
  const { user, invitationData } = useSignedIn();
  const control = useSelection(device, user._id, invitationData);
  const data = useCounterData(device, user._id, control);
  const hasLists = useFirstLists(data, control);
  const [opening, state] = useAreaOpening(device, user._id);
  const resumed = useAreaToResume(device, user._id, data.choices.sessions);
  const finished = useFinishedSession(device, user, data.sessions.data?.value);
  const [isSettingUp, setSettingUp] = useState(false);
  const feedback = useFeedback(device.database);
  const isPaused = isSettingUp || state.question !== null;
  // Whose count is over needs no products.
  const sync = useProductSync(device, finished === null ? control.selection.storeId : null);
  const focus = useStepFocus();
  const starting = useStart({
    ...{ data, control, opening, sync, isFinished: finished !== null, show: focus.show },
    onRefused: () => feedback.play("alarm"),
  });
  const { start, startListed } = starting;
  useDashboardScans({
    ...{ device, userId: user._id, control, opening, play: feedback.play, isPaused },
    start(selection) {
      // Another store counts: its label is the way on.
      finished?.goOn?.();
      start(selection);
    },
  });
  return (
    <Stack gap="sm" className={classes.dashboard ?? ""} data-coming={!hasLists}>
      <PageHeader
        title="Counter Dashboard"
        subtitle={`Welcome, ${user.username}`}
        actions={
          <Group gap="xs">
            <DeviceBadges device={device} />
          </Group>
        }
      />
      <InsecureNotice />
      <UpdateNotice />
      <ResumeArea area={resumed} areas={data.lists.areas ?? []} />
      {finished === null ? <QueueSection device={device} /> : null}
      {finished === null ? (
        <Later>
          <CompletedAreas device={device} areas={data.lists.areas} play={feedback.play} />
          <Recounts
            areas={data.choices.areas}
            notes={data.choices.notes}
            resumed={resumed}
            onCount={({ _id }) => startListed(_id)}
          />
          <RecountRequests
            device={device}
            userId={user._id}
            play={feedback.play}
            isLeft={({ area, recount }) => !isResumedIn(resumed, area._id, recount.pass)}
            onChoose={({ area, storeId }) => {
              start({ storeId, locationId: area.locationId, areaId: area._id });
            }}
          />
          <SearchTasks
            device={device}
            userId={user._id}
            sessions={data.choices.sessions}
            storeId={control.selection.storeId}
          />
        </Later>
      ) : null}
      <ServerNotices device={device} lists={data.lists} />
      <ErrorBox
        error={data.sessions.error}
        fallback={messages.failedSession}
        onRetry={() => data.sessions.refetch()}
      />
      {finished === null ? (
        <>
          <Steps {...{ data, control, state, sync, starting, focus }} />
          <Later>
            <HowTo />
          </Later>
        </>
      ) : (
        <CountFinished device={device} userId={user._id} session={finished.session} onGoOn={finished.goOn} />
      )}
      <Button variant="subtle" color="gray" size="lg" onClick={() => setSettingUp(true)}>
        Device Settings
      </Button>
      {isSettingUp ? (
        <DeviceSettings device={device} feedback={feedback} onClose={() => setSettingUp(false)} />
      ) : null}
      <AskAboutArea
        device={device}
        opening={opening}
        state={state}
        onScanIgnored={() => feedback.play("alarm")}
      />
    </Stack>
  );
}

/** The counter's dashboard (/counter). */
export function CounterDashboard() {
  return <OnDevice>{(device) => <ReadyDashboard device={device} />}</OnDevice>;
}
