import { Button, Text } from "@mantine/core";
import { useSignedIn } from "../../../identity/identity.ts";
import type { CountingDevice } from "../../../offline/offline.ts";
import type { SoundName } from "../../../scanner/feedback.ts";
import { Notice } from "../../../ui/notice.tsx";
import { messages } from "../messages.ts";
import { othersCounting, type RequestedRecount } from "./recounts.ts";
import { useRecounts } from "./use-recounts.ts";

interface RecountRequestsProps {
  readonly device: CountingDevice;
  readonly userId: string;
  readonly play: (name: SoundName) => void;
  /** False of one that another card leads to. */
  readonly isLeft: (recount: RequestedRecount) => boolean;
  readonly onChoose: (recount: RequestedRecount) => void;
}

/** What an administrator wants counted again, until it is. */
export function RecountRequests({ device, userId, play, isLeft, onChoose }: RecountRequestsProps) {
  const { user } = useSignedIn();
  const recounts = useRecounts(device, userId, () => play("call"));
  return recounts.filter(isLeft).map((requested) => {
    const { area, recount, locationName } = requested;
    const others = othersCounting(area, user.username);
    return (
      <Notice
        key={area._id}
        kind={others === null ? "warning" : "info"}
        role="status"
        title={messages.recountRequestedOf(area.code, area.name)}
      >
        <Text>{messages.recountAsked(locationName, recount.reason)}</Text>
        {others === null ? (
          <Button size="lg" mt="xs" onClick={() => onChoose(requested)}>
            {messages.recountChoose}
          </Button>
        ) : (
          <Text fw={560}>
            {messages.recountUnderWay(others)} {messages.recountElsewhere}
          </Text>
        )}
      </Notice>
    );
  });
}
