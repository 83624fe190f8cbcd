import { Button, Text } from "@mantine/core";
import type { Area } from "@stocktake/contract";
import { useSignedIn } from "../../../identity/identity.ts";
import type { CountingDevice } from "../../../offline/offline.ts";
import type { SoundName } from "../../../scanner/feedback.ts";
import { Notice } from "../../../ui/notice.tsx";
import { messages } from "../messages.ts";
import { countersOf } from "../opening/area-notes.ts";
import type { RequestedRecount } from "./recounts.ts";
import { useRecounts } from "./use-recounts.ts";

interface RecountRequestsProps {
  readonly device: CountingDevice;
  readonly userId: string;
  readonly play: (name: SoundName) => void;
  /** False of one that another card leads to. */
  readonly isLeft: (recount: RequestedRecount) => boolean;
  readonly onChoose: (recount: RequestedRecount) => void;
}

/**
 * Who else is already counting the area again; null where nobody is, or this person too. Nobody else is led there then: what is
 * asked at the door of an area in progress offers to reset it.
 */
function othersCounting(area: Area, me: string): readonly string[] | null {
  const names = countersOf(area);
  return names?.includes(me) === true ? null : names;
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
