import { Button, Group, Text } from "@mantine/core";
import type { CountingSession, SearchTask } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
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

const othersAtFirst = 3;

/** The counter's own, and a few that are for anybody and not finished: of a hundred lists somebody takes one. */
function shownAtFirst(tasks: readonly SearchTask[]): readonly SearchTask[] {
  const unfinished = tasks.filter(({ mine, done, items }) => !mine && done < items);
  const others = unfinished.slice(0, othersAtFirst);
  return tasks.filter((task) => task.mine || others.includes(task));
}

function TasksOf({
  device,
  userId,
  sessionId,
}: Omit<SearchTasksProps, "sessions" | "storeId"> & { sessionId: string }) {
  const { data } = useQuery(searchTasksQuery(device, userId, sessionId));
  const [isAllShown, setAllShown] = useState(false);
  const tasks = data?.value ?? [];
  const first = shownAtFirst(tasks);
  const more = tasks.length - first.length;
  return (
    <>
      {(isAllShown ? tasks : first).map((task) => (
        <Task key={task.number} task={task} sessionId={sessionId} />
      ))}
      {more === 0 ? null : (
        <Group justify="space-between">
          <Text>{isAllShown ? messages.allShown(tasks.length) : messages.more(more)}</Text>
          <Button
            variant="default"
            size="lg"
            aria-expanded={isAllShown}
            onClick={() => setAllShown(!isAllShown)}
          >
            {isAllShown ? messages.showFewer : messages.showAll}
          </Button>
        </Group>
      )}
    </>
  );
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
