import { Button, Text } from "@mantine/core";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  type CountingDevice,
  deleteSetting,
  readLeft,
  readResent,
  readSetting,
  settings,
  useQueueState,
} from "../../../offline/offline.ts";
import { Notice } from "../../../ui/notice.tsx";
import { SuccessMessage } from "../../../ui/success-message.tsx";
import { deviceRoots } from "../lists/counter-queries.ts";
import { messages } from "../messages.ts";

const root = [deviceRoots.held, "restored"];

async function readRestored({ database }: CountingDevice) {
  const [restored, left, unanswered] = await Promise.all([
    readSetting(database, settings.restored),
    readLeft(database),
    readResent(database),
  ]);
  const areas = [...new Set(left.map(({ areaCode }) => areaCode))];
  return restored === null ? null : { rows: restored.rows, unanswered, areas };
}

/**
 * Once after a restore of the server: what this device does about it. Told until all of it has been answered, then as done for a while;
 * what is left to a person, until it is closed.
 */
export function ServerRestored({ device }: { device: CountingDevice }) {
  const { pending } = useQueueState(device);
  const client = useQueryClient();
  const restored = useQuery({
    queryKey: [...root, pending],
    queryFn: () => readRestored(device),
    staleTime: 0,
    // What was read when as many rows were pending before is of another moment.
    gcTime: 0,
    placeholderData: keepPreviousData,
  }).data;
  const close = async () => {
    await deleteSetting(device.database, settings.restored.key);
    await client.invalidateQueries({ queryKey: root });
  };
  const { rows, unanswered, areas } = restored ?? { rows: 0, unanswered: 0, areas: [] };
  const isOver = unanswered === 0 && areas.length === 0;
  return (
    <>
      <SuccessMessage
        floats
        message={isOver && rows > 0 ? messages.restoredSent(rows) : null}
        onClose={() => void close().catch(globalThis.reportError)}
      />
      {isOver ? null : (
        <Notice kind="info" title={messages.restored} role="status">
          {unanswered === 0 ? null : <Text>{messages.restoredText(unanswered)}</Text>}
          {areas.length === 0 ? null : <Text>{messages.restoredAreas(areas.join(", "))}</Text>}
          <Button variant="default" size="lg" mt="xs" onClick={() => void close()}>
            Close
          </Button>
        </Notice>
      )}
    </>
  );
}
