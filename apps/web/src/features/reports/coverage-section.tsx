import { Anchor, Group, List, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { coveragePath, coverageQuery, useCoverageWhileCounting } from "../../http/coverage.ts";
import { coverageTexts as texts } from "../../ui/certificates/coverage-messages.ts";
import { certificateText } from "../../ui/certificates/coverage-text.ts";
import { Loaded } from "../../ui/drawing/loaded.tsx";
import { Section } from "../../ui/section.tsx";
import { ShortHash } from "../../ui/tables/short-hash.tsx";

/** Whether a coverage certificate says that nothing was left out, and what is open where none does; printed with the report. */
export function CoverageSection({ sessionId }: { readonly sessionId: string }) {
  const query = useQuery(coverageQuery(sessionId));
  // Devices may still send what they hold.
  useCoverageWhileCounting();
  return (
    <Loaded query={query} fallback={texts.failed} quiet>
      {(data) => (
        <Section title={texts.label}>
          <Group gap="xs" fz="sm">
            <Text fz="sm">{certificateText(data)}</Text>
            {data.certificate === null ? null : <ShortHash hash={data.certificate.hash} />}
            <Anchor component={Link} to={coveragePath(sessionId)} fz="sm" py={4} className="screen-only">
              {texts.toPage}
            </Anchor>
          </Group>
          {data.open.length === 0 ? null : (
            <List spacing={2} fz="sm">
              {data.open.map((item) => (
                <List.Item key={item.kind}>{texts.open(item)}</List.Item>
              ))}
            </List>
          )}
        </Section>
      )}
    </Loaded>
  );
}
