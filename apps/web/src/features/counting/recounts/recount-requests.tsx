import { Button, Text } from "@mantine/core";
import type { CountingDevice } from "../../../offline/offline.ts";
import type { SoundName } from "../../../scanner/feedback.ts";
import { Notice } from "../../../ui/notice.tsx";
import { messages } from "../messages.ts";
import type { RequestedRecount } from "./recounts.ts";
import { useRecounts } from "./use-recounts.ts";

interface RecountRequestsProps {
  readonly device: CountingDevice;
  readonly userId: string;
  readonly play: (name: SoundName) => void;
  readonly onChoose: (recount: RequestedRecount) => void;
}

/** What an administrator wants counted again, until it is. */
export function RecountRequests({ device, userId, play, onChoose }: RecountRequestsProps) {
  const recounts = useRecounts(device, userId, () => play("call"));
  return recounts.map((requested) => {
    const { area, recount, locationName } = requested;
    return (
      <Notice
        key={area._id}
        kind="warning"
        role="status"
        title={messages.recountRequestedOf(area.code, area.name)}
      >
        <Text>{messages.recountAsked(recount.requestedBy, locationName, recount.reason)}</Text>
        <Button size="lg" mt="xs" onClick={() => onChoose(requested)}>
          {messages.recountChoose}
        </Button>
      </Notice>
    );
  });
}
