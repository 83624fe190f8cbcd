import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { samplesQuery } from "../../http/samples.ts";
import { Loaded } from "../../ui/drawing/loaded.tsx";
import { quantityText } from "../../ui/formats.ts";
import { SampleCard } from "../../ui/samples/sample-card.tsx";
import { FoldingSection } from "./folding/folding-section.tsx";
import { messages } from "./messages.ts";

/** What the control samples of the session say about its count, void ones too; nothing where none was drawn. */
export function SampleFindings({ sessionId }: { sessionId: string }) {
  const query = useQuery(samplesQuery(sessionId));
  return (
    <Loaded query={query} fallback={messages.samples.failed} quiet>
      {({ samples }) =>
        samples.length === 0 ? null : (
          <FoldingSection title={messages.samples.title} count={quantityText(samples.length)}>
            <Stack gap="lg">
              {samples.map((sample) => (
                <SampleCard key={sample.number} sample={sample} />
              ))}
            </Stack>
          </FoldingSection>
        )
      }
    </Loaded>
  );
}
