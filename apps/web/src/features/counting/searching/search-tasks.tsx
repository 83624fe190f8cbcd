import { Button, Text } from "@mantine/core";
import type { CountingSession, SearchTask } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { CountingDevice } from "../../../offline/offline.ts";
import { Notice } from "../../../ui/notice.tsx";
import { messages } from "./messages.ts";
import { searchTasksQuery } from "./queries.ts";

interface SearchTasksProps {
  readonly device: CountingDevice;
  readonly userId: string;
  readonly sessions: readonly CountingSession[];
  /** The chosen store; null where none is. */
  readonly storeId: string | null;
}

function Task({ task, sessionId }: { readonly task: SearchTask; readonly sessionId: string }) {
  const { number, items, done, area, mine } = task;
  return (
    <Notice kind={done === items ? "success" : "info"} role="status" title={messages.ask(items)}>
      <Text>
        {mine ? `${messages.mine} ` : ""}
        {messages.placeText(area)} {messages.done(done, items)}
      </Text>
      <Button
        component={Link}
        to={`/counter/search/${encodeURIComponent(sessionId)}/${number}`}
        size="lg"
        mt="xs"
        variant={done === items ? "default" : "filled"}
      >
        {messages.open}
      </Button>
    </Notice>
  );
}

function TasksOf({
  device,
  userId,
  sessionId,
}: Omit<SearchTasksProps, "sessions" | "storeId"> & { sessionId: string }) {
  const { data } = useQuery(searchTasksQuery(device, userId, sessionId));
  return (data?.value ?? []).map((task) => <Task key={task.number} task={task} sessionId={sessionId} />);
}

/** What the administrator asks to be looked for, in the session of the chosen store. */
export function SearchTasks({ device, userId, sessions, storeId }: SearchTasksProps) {
  const running = sessions.filter(({ status }) => status === "active");
  const session =
    running.find((each) => each.storeId._id === storeId) ??
    (storeId === null && running.length === 1 ? running[0] : undefined);
  if (session === undefined) return null;
  return <TasksOf device={device} userId={userId} sessionId={session._id} />;
}
