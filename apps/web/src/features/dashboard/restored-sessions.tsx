import { Anchor, List } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { sessionsQuery } from "../../http/shared-queries.ts";
import { dateTimeText } from "../../ui/formats.ts";
import { Notice } from "../../ui/notice.tsx";
import { messages } from "./messages.ts";

const listed = 5;

function HeldSession({ session }: { readonly session: CountingSession }) {
  const { _id, status, storeId, startedAt } = session;
  const name = `${storeId.name}, ${dateTimeText(startedAt)}`;
  if (status === "active") return <List.Item>{messages.restored.counting(name)}</List.Item>;
  return (
    <List.Item>
      <Anchor component={Link} to={`/admin/reports?session=${encodeURIComponent(_id)}`}>
        {name}
      </Anchor>
    </List.Item>
  );
}

/** Says that the installation came out of a backup, until each of the backup's sessions is released. */
export function RestoredSessions() {
  const { data = [] } = useQuery(sessionsQuery);
  const held = data.filter(({ restored }) => restored === true);
  if (held.length === 0) return null;
  return (
    <Notice kind="warning" title={messages.restored.title}>
      {messages.restored.text(held.length)}
      <List spacing={4} mt={4}>
        {held.slice(0, listed).map((session) => (
          <HeldSession key={session._id} session={session} />
        ))}
      </List>
      {held.length > listed ? (
        <Anchor component={Link} to="/admin/reports">
          {messages.restored.more(held.length - listed)}
        </Anchor>
      ) : null}
    </Notice>
  );
}
