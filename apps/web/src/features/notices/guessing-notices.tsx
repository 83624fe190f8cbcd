import { Button, Group, Text } from "@mantine/core";
import { dismissNotice, type GuessingNotice } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { callApi } from "../../http/call.ts";
import { queryRoots } from "../../http/query-roots.ts";
import { useChange } from "../../http/use-change.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Notice } from "../../ui/notice.tsx";
import { noticesQuery } from "./api.ts";
import { messages } from "./messages.ts";

/** As long as the server takes a silence for the same guessing. */
const silenceMs = 3_600_000;

function GuessingWarning({ notice }: { notice: GuessingNotice }) {
  const dismiss = useChange((id: string) => callApi(dismissNotice, { params: { id } }), [queryRoots.notices]);
  const isOver = Date.now() - Date.parse(notice.lastAt) > silenceMs;
  return (
    <Notice kind="warning" title={isOver ? messages.titleOver(notice) : messages.title(notice)} role="status">
      <Text fz="sm">{messages.text(notice)}</Text>
      <Text fz="sm">{messages.safe(notice)}</Text>
      <Group gap="xs" mt="xs">
        <Button component={Link} to="/admin/settings" variant="default" size="sm">
          {messages.change}
        </Button>
        <Button
          variant="default"
          size="sm"
          disabled={dismiss.isPending}
          onClick={() => dismiss.send(notice._id)}
        >
          {messages.dismiss}
        </Button>
      </Group>
      <ErrorBox error={dismiss.error} fallback={messages.dismissFailed} />
    </Notice>
  );
}

/** Warns of guessing at passwords until it is put away. */
export function GuessingNotices() {
  const { data } = useQuery(noticesQuery);
  return data?.notices.map((notice) => <GuessingWarning key={notice._id} notice={notice} />);
}
