import { Button, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { countAgainPath, countAgainQuery } from "../../http/count-again.ts";
import { CountAgainRows } from "../../ui/count-again/count-again-rows.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { quantityText } from "../../ui/formats.ts";
import { FoldingSection } from "./folding/folding-section.tsx";
import { messages } from "./messages.ts";

const { countAgain: texts } = messages;
const shownAtMost = 5;

/** The SKUs in which most money speaks for another count, and the way to all of them; nothing where there are none. */
export function CountAgainSection({ sessionId }: { sessionId: string }) {
  const { data, error, refetch } = useInfiniteQuery(countAgainQuery(sessionId));
  const problem = <ErrorBox error={error} fallback={texts.failed} onRetry={refetch} />;
  const first = data?.pages[0];
  if (first === undefined || first.rows.length === 0) return problem;
  const total = first.total ?? first.rows.length;
  return (
    <FoldingSection title={texts.title} count={quantityText(total)}>
      <Stack gap="md" align="flex-start">
        {problem}
        <Text>{texts.intro}</Text>
        <div>
          <CountAgainRows
            rows={first.rows.slice(0, shownAtMost)}
            unknownCosts={first.unknownCosts}
            currency={first.currency}
            onAsk={null}
          />
        </div>
        <Button component={Link} to={countAgainPath(sessionId)} variant="default" size="sm">
          {texts.all(quantityText(total))}
        </Button>
      </Stack>
    </FoldingSection>
  );
}
