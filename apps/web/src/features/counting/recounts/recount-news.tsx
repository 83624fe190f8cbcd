import { Button, Stack, Text } from "@mantine/core";
import { Link, useLocation } from "react-router";
import { useSignedIn } from "../../../identity/identity.ts";
import { type CountingDevice, useDeviceState } from "../../../offline/offline.ts";
import { useFeedback } from "../../../scanner/use-feedback.ts";
import { Notice } from "../../../ui/notice.tsx";
import { messages } from "../messages.ts";
import { othersCounting } from "./recounts.ts";
import { useFreshAreaBook, useRecounts } from "./use-recounts.ts";

/** Pages that tell of recounts in their own way. */
const tellingPages = ["/counter", "/counter/scan"];

function Requests({ device }: { readonly device: CountingDevice }) {
  const { user } = useSignedIn();
  const { play } = useFeedback(device.database);
  const recounts = useRecounts(device, user._id, () => play("call"));
  const free = recounts.filter(({ area }) => othersCounting(area, user.username) === null);
  if (free.length === 0) return null;
  return (
    <Stack gap="sm" mb="sm">
      {free.map(({ area, recount, locationName }) => (
        <Notice
          key={area._id}
          kind="warning"
          role="status"
          title={messages.recountRequestedOf(area.code, area.name)}
        >
          <Text>{messages.recountAsked(locationName, recount.reason)}</Text>
          <Button component={Link} to="/counter" size="lg" mt="xs">
            {messages.recountToDashboard}
          </Button>
        </Notice>
      ))}
    </Stack>
  );
}

function OnEveryPage({ device }: { readonly device: CountingDevice }) {
  const { pathname } = useLocation();
  useFreshAreaBook();
  return tellingPages.includes(pathname) ? null : <Requests device={device} />;
}

/** On every page of a counter: what an administrator wants counted again reaches the phone at once, and is told where the page does not. */
export function RecountNews() {
  const state = useDeviceState();
  return state.status === "ready" ? <OnEveryPage device={state.device} /> : null;
}
