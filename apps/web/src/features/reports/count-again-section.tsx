import { Anchor, Button, Group, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Link } from "react-router";
import { countAgainPath, countAgainQuery } from "../../http/count-again.ts";
import { CountAgainRows } from "../../ui/count-again/count-again-rows.tsx";
import { useMarkedSkus } from "../../ui/count-again/marked-skus.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { countText, quantityText } from "../../ui/formats.ts";
import { Section } from "../../ui/section.tsx";
import { messages } from "./messages.ts";

const { countAgain: texts } = messages;
const shownAtMost = 5;

/** How many SKUs are marked for a follow-up, and the way to start it; nothing where none is. */
function Marked({ sessionId }: { sessionId: string }) {
  const { ticked } = useMarkedSkus(sessionId);
  return (
    <Text fz="sm" role="status">
      {ticked.size === 0 ? null : (
        <>
          {texts.marked(countText(ticked.size, "SKU", "SKUs"))}{" "}
          <Anchor component={Link} to={countAgainPath(sessionId)} fz="inherit" underline="always">
            {texts.toMarked}
          </Anchor>
        </>
      )}
    </Text>
  );
}

/**
 * The SKUs in which most money speaks for another count, and the way to all of them. It is worked out longer than the report:
 * its place is there from the beginning, so that the rows below stay under whoever reads or presses them.
 */
export function CountAgainSection({ sessionId }: { sessionId: string }) {
  const { data, error, refetch } = useInfiniteQuery(countAgainQuery(sessionId));
  const [isShown, setShown] = useState(false);
  const rowsId = useId();
  const first = data?.pages[0];
  const total = first?.total ?? first?.rows.length ?? 0;
  const found = total === 0 ? texts.none : texts.intro;
  return (
    <Section
      title={total === 0 ? texts.title : texts.titleOf(countText(total, "SKU", "SKUs"))}
      aside={
        total === 0 ? null : (
          <Group gap="xs">
            <Button
              variant="default"
              size="sm"
              aria-expanded={isShown}
              aria-controls={rowsId}
              onClick={() => setShown(!isShown)}
            >
              {isShown ? texts.hide : texts.show(Math.min(total, shownAtMost))}
            </Button>
            <Button component={Link} to={countAgainPath(sessionId)} variant="default" size="sm">
              {texts.all(quantityText(total))}
            </Button>
          </Group>
        )
      }
    >
      <ErrorBox error={error} fallback={texts.failed} onRetry={refetch} />
      {first === undefined && error !== null ? null : (
        <Text fz="sm" c="dimmed">
          {first === undefined ? texts.looking : found}
        </Text>
      )}
      <Marked sessionId={sessionId} />
      <div id={rowsId}>
        {first !== undefined && isShown && total > 0 ? (
          <CountAgainRows
            rows={first.rows.slice(0, shownAtMost)}
            unknownCosts={first.unknownCosts}
            currency={first.currency}
            onAsk={null}
          />
        ) : null}
      </div>
    </Section>
  );
}
