import { Button } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { reportPath } from "../../../http/report-path.ts";
import { sessionsQuery } from "../../../http/shared-queries.ts";
import { countText, dateTimeText } from "../../../ui/formats.ts";
import { Notice } from "../../../ui/notice.tsx";
import { followUpMessages as texts } from "./messages.ts";

const nameOf = ({ name, startedAt }: CountingSession) => name ?? dateTimeText(startedAt);
const skusOf = ({ only = [] }: CountingSession) => countText(only.length, "SKU", "SKUs");

function ToSession({ session }: { session: CountingSession }) {
  const hasEnded = session.status === "closed";
  return (
    <Button
      component={Link}
      to={hasEnded ? reportPath(session._id) : "/admin/sessions"}
      variant="default"
      size="sm"
    >
      {hasEnded ? texts.toReport : texts.toSessions}
    </Button>
  );
}

/** Which session the report's follows up, and those in which some of its SKUs were counted again. */
export function FollowUps({ session }: { session: CountingSession }) {
  const { data: sessions = [] } = useQuery(sessionsQuery);
  const first = sessions.find(({ _id }) => _id === session.followUpOf);
  const later = sessions.filter(({ followUpOf }) => followUpOf === session._id);
  return (
    <>
      {first === undefined ? null : (
        <Notice kind="info" title={texts.ofTitle(skusOf(session))} action={<ToSession session={first} />}>
          {texts.of(nameOf(first))}
        </Notice>
      )}
      {later.map((each) => (
        <Notice
          key={each._id}
          kind="info"
          title={texts.laterTitle(skusOf(each))}
          action={<ToSession session={each} />}
        >
          {each.status === "closed" ? texts.later(nameOf(each)) : texts.running(nameOf(each))}
        </Notice>
      ))}
    </>
  );
}
