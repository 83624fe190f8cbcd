import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { type EndedLogin, readEndedLogin } from "../../identity/identity.ts";
import { type CountingDevice, exportQueue, useDeviceState, useQueueState } from "../../offline/offline.ts";
import { Notice } from "../../ui/notice.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { messages } from "./messages.ts";

async function saveQueue({ database, deviceId, clock }: CountingDevice): Promise<void> {
  const { name, text } = await exportQueue(database, deviceId, clock.now());
  saveFile(new Blob([text], { type: "application/json" }), name);
}

/** What this device holds that the server does not, and how it gets there. */
function KeptScans({ device, ended }: { device: CountingDevice; ended: EndedLogin }) {
  const { pending, setAside } = useQueueState(device);
  const kept = pending + setAside;
  if (kept === 0) return <Text fz="sm">{ended.role === "counter" ? messages.allSent : null}</Text>;
  return (
    <>
      <Text fz="sm">{messages.kept(kept)}</Text>
      <Text fz="sm">{ended.isTemporary ? messages.byInvitation : messages.bySigningIn}</Text>
      <Button variant="default" onClick={() => void saveQueue(device).catch(globalThis.reportError)}>
        {messages.save}
      </Button>
    </>
  );
}

/** Says why the person who was signed in here is at the login now, and what became of their scans. */
export function EndedLoginNotice() {
  const [ended] = useState(readEndedLogin);
  const state = useDeviceState();
  if (ended === null) return null;
  return (
    <Notice kind="warning" title={messages.ended[ended.reason]} role="status">
      <Stack gap="xs">
        {ended.reason === "unknown" ? <Text fz="sm">{messages.endedElsewhere}</Text> : null}
        {state.status === "ready" ? <KeptScans device={state.device} ended={ended} /> : null}
      </Stack>
    </Notice>
  );
}
