import { Anchor, Group, Text } from "@mantine/core";
import { Link } from "react-router";
import { ShortHash } from "./short-hash.tsx";

interface AuditHashProps {
  readonly sessionId: string;
  /** What the session's audit log ends with; null where it has no entry. */
  readonly hash: string | null;
}

/**
 * The hash that a session's audit log ends with, printed with what was read at that moment: whoever rewrites the log
 * afterwards can't have it end so again. It leads to the session's entries.
 */
export function AuditHash({ sessionId, hash }: AuditHashProps) {
  if (hash === null) return null;
  return (
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
  );
}
