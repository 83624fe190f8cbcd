import { Anchor, Group, Text } from "@mantine/core";
import { Link } from "react-router";
import { Section } from "../../ui/section.tsx";
import { ShortHash } from "../../ui/tables/short-hash.tsx";
import { messages } from "./messages.ts";
import { anchors } from "./report-notices.tsx";

interface AuditHashProps {
  readonly sessionId: string;
  /** What the session's audit log ends with; null where it has no entry. */
  readonly hash: string | null;
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
    </Section>
  );
}
