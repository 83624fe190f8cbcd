import { Button, Checkbox, Stack, Text } from "@mantine/core";
import { type CountingSession, type DifferenceSoFar, differencesSoFar } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "../../http/call.ts";
import { ApiError } from "../../http/errors.ts";
import { queryRoots } from "../../http/query-roots.ts";
import { countAgainMessages } from "../../ui/count-again/count-again-messages.ts";
import { CountTicked } from "../../ui/count-again/count-ticked.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { signedMoneyText } from "../../ui/figures/money-text.ts";
import { partsText, quantityText, signedText } from "../../ui/formats.ts";
import { Notice } from "../../ui/notice.tsx";
import { type Ticking, useTicking } from "../../ui/ticking/ticking.ts";
import { CountAgainDialog } from "./count-again-dialog.tsx";
import { messages } from "./messages.ts";
import classes from "./sessions.module.css";

type CountedArea = DifferenceSoFar["areas"][number];

const { soFar } = messages;
/** So that what the dialog asks stays in sight. */
const shownAtMost = 5;

interface DifferenceProps {
  readonly row: DifferenceSoFar;
  readonly currency: string;
  readonly ticking: Ticking;
  readonly onAgain: (area: CountedArea) => void;
}

function Difference({ row, currency, ticking, onAgain }: DifferenceProps) {
  const name = partsText(row.productTitle, row.size);
  const money = row.costImpact === null ? soFar.unknownCost : signedMoneyText(row.costImpact, currency);
  return (
    <li>
      <Checkbox
        label={
          <>
            {name} <span className={classes.code}>{row.sku}</span>
          </>
        }
        aria-label={countAgainMessages.tick(partsText(name, row.sku))}
        checked={ticking.ticked.has(row.sku)}
        onChange={(event) => ticking.tick([row.sku], event.currentTarget.checked)}
        styles={{ label: { fontWeight: 560 } }}
      />
      <Text fz="sm" className="tabular">
        {soFar.figures(quantityText(row.counted), quantityText(row.onHand))}{" "}
        <strong>{signedText(row.difference)}</strong> ({money})
      </Text>
      <div className={classes.again}>
        {row.areas.map((area) => (
          <Button key={area._id} size="compact-sm" variant="default" onClick={() => onAgain(area)}>
            {messages.again.title(area.code)}
          </Button>
        ))}
      </div>
    </li>
  );
}

interface DifferencesSoFarProps {
  readonly session: CountingSession;
  readonly isEnding: boolean;
}

/**
 * What closed areas counted most differently from Shopify, with a way to have each counted again before the session ends.
 * For the administrator alone: counters count blind.
 */
export function DifferencesSoFar({ session, isEnding }: DifferencesSoFarProps) {
  const [again, setAgain] = useState<CountedArea | null>(null);
  const ticking = useTicking();
  const { data, error, refetch } = useQuery({
    // It is of the count's progress: what makes that stale makes this stale.
    queryKey: [queryRoots.progress, session._id, "differences"],
    queryFn: ({ signal }) => callApi(differencesSoFar, { params: { id: session._id }, signal }),
    staleTime: 0,
    // Once the session has ended its report tells.
    enabled: !isEnding,
  });
  // Somebody else has ended it just now: the page hears of that in a moment.
  if (error instanceof ApiError && error.code === "SESSION_CLOSED") return null;
  if (data === undefined) return <ErrorBox error={error} fallback={soFar.failed} onRetry={refetch} />;
  if (data.differences.length === 0) return null;
  return (
    <Notice kind="info" title={soFar.title}>
      <Stack gap="xs">
        <Text fz="sm">{soFar.note}</Text>
        <ul className={classes.differences} aria-label={soFar.title}>
          {data.differences.slice(0, shownAtMost).map((row) => (
            <Difference
              key={row.sku}
              row={row}
              currency={data.currency}
              ticking={ticking}
              onAgain={setAgain}
            />
          ))}
        </ul>
        <CountTicked sessionId={session._id} ticking={ticking} />
      </Stack>
      {again === null ? null : <CountAgainDialog area={again} onClose={() => setAgain(null)} />}
    </Notice>
  );
}
