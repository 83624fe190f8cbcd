import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { samplesQuery } from "../../http/samples.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { quantityText } from "../../ui/formats.ts";
import { SampleCard } from "../../ui/samples/sample-card.tsx";
import { FoldingSection } from "./folding/folding-section.tsx";
import { messages } from "./messages.ts";

/** What the control samples of the session say about its count, void ones too; nothing where none was drawn. */
export function SampleFindings({ sessionId }: { sessionId: string }) {
  const { data, error, refetch } = useQuery(samplesQuery(sessionId));
  if (error !== null) {
    return <ErrorBox error={error} fallback={messages.samples.failed} onRetry={refetch} />;
  }
  if (data === undefined || data.samples.length === 0) return null;
  return (
    <FoldingSection title={messages.samples.title} count={quantityText(data.samples.length)}>
      <Stack gap="lg">
        {data.samples.map((sample) => (
          <SampleCard key={sample.number} sample={sample} />
        ))}
      </Stack>
    </FoldingSection>
  );
}
