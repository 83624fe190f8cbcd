import { Anchor, Button, Group, Text } from "@mantine/core";
import { writeAuditorsFile } from "@stocktake/contract";
import { Link } from "react-router";
import { sendCall } from "../../http/call.ts";
import { queryRoots } from "../../http/query-roots.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { useSaving } from "../../ui/saving/use-saving.ts";
import { Section } from "../../ui/section.tsx";
import { ShortHash } from "../../ui/tables/short-hash.tsx";
import { anchors } from "./lead-to.ts";
import { messages } from "./messages.ts";

interface AuditHashProps {
  readonly sessionId: string;
  /** What the session's audit log ends with; null where it has no entry. */
  readonly hash: string | null;
}

const { auditorsFile: texts } = messages;

function useWriteFile(sessionId: string) {
  return useSaving(
    (_: undefined) => sendCall(writeAuditorsFile, { params: { sessionId } }),
    `auditors-file-${sessionId}.jsonl`,
    // Its writing is an entry of the log, whose last hash the report shows.
    [queryRoots.report],
  );
}

/** The count for whoever checks it without this server: the file, and the page that verifies it. */
function AuditorsFile({ sessionId }: { sessionId: string }) {
  const writing = useWriteFile(sessionId);
  return (
    <div className="screen-only">
      <Text fz="sm" mb="xs">
        {texts.text}
      </Text>
      <Group gap="xs">
        <Button
          variant="default"
          size="sm"
          disabled={writing.isPending}
          onClick={() => writing.send(undefined)}
        >
          {writing.isPending ? texts.writing : texts.write}
        </Button>
        <Button component="a" href="/verifier.html" download={texts.verifierName} variant="default" size="sm">
          {texts.verifier}
        </Button>
      </Group>
      <ErrorBox error={writing.error} fallback={texts.failed} />
    </div>
  );
}

/**
 * The last hash of a session's audit log, printed with the report: a log that is rewritten later ends with another hash.
 * Links to the session's entries.
 */
export function AuditSection({ sessionId, hash }: AuditHashProps) {
  if (hash === null) return null;
  return (
    <Section title={messages.auditTitle} anchor={anchors.audit}>
      <Group gap="xs" fz="sm">
        <Text fz="sm" c="dimmed">
          Audit hash
        </Text>
        <ShortHash hash={hash} />
        <Anchor
          component={Link}
          to={`/admin/audit?session=${encodeURIComponent(sessionId)}`}
          fz="sm"
          py={4}
          className="screen-only"
        >
          Audit log of this session
        </Anchor>
      </Group>
      <AuditorsFile sessionId={sessionId} />
    </Section>
  );
}
