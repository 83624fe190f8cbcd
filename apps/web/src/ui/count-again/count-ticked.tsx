import { Button } from "@mantine/core";
import { type askSecondCounts, type CallAnswer, limits } from "@stocktake/contract";
import { useState } from "react";
import { useAskOfSkus } from "../../http/second-counts.ts";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { Outcome } from "../focus/outcome.tsx";
import { partsText } from "../formats.ts";
import { Notice } from "../notice.tsx";
import { TickedBar } from "../ticking/ticked-bar.tsx";
import type { Ticking } from "../ticking/ticking.ts";
import { countAgainMessages as texts } from "./count-again-messages.ts";

type Asked = CallAnswer<typeof askSecondCounts>;

interface CountAgainBarProps {
  readonly ticking: Ticking;
  readonly label: string;
  readonly onPress: () => void;
}

/** How many are ticked to be counted again, and one button for them; nothing while none is. */
export function CountAgainBar({ ticking, label, onPress }: CountAgainBarProps) {
  return (
    <TickedBar ticking={ticking} most={limits.skusToCountAgain} tooMany={texts.tooMany}>
      {(isTooMany) =>
        ticking.ticked.size === 0 ? null : (
          <Button size="sm" variant="default" disabled={isTooMany} onClick={onPress}>
            {label}
          </Button>
        )
      }
    </TickedBar>
  );
}

/** What came of asking: how many counts, and what could not be asked for and why. */
function AskedNotice({ asked }: { asked: Asked }) {
  const { secondCounts, notAsked } = asked;
  return (
    <Notice kind={notAsked.length === 0 ? "info" : "warning"}>
      <div>{texts.asked(secondCounts.length)}</div>
      {notAsked.length === 0 ? null : (
        <ul aria-label={texts.notAsked}>
          {notAsked.map(({ sku, area, why }) => (
            <li key={`${sku} ${area?._id ?? ""}`}>
              {partsText(sku, area?.code ?? null)}: {texts.why[why]}.
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

interface CountTickedProps {
  readonly sessionId: string;
  readonly ticking: Ticking;
}

/** Has the ticked SKUs counted a second time wherever they were counted, once that is confirmed. */
export function CountTicked({ sessionId, ticking }: CountTickedProps) {
  const { ticked, tick } = ticking;
  const ask = useAskOfSkus(sessionId);
  const [isAsking, setAsking] = useState(false);
  const send = () => {
    const skus = [...ticked];
    ask.send(skus, () => {
      setAsking(false);
      tick(skus, false);
    });
  };
  return (
    <>
      <CountAgainBar ticking={ticking} label={texts.countTicked} onPress={() => setAsking(true)} />
      <Outcome>{ask.data === undefined ? null : <AskedNotice asked={ask.data} />}</Outcome>
      {isAsking ? (
        <ConfirmDialog
          title={texts.countTickedTitle(ticked.size)}
          message={texts.countTickedQuestion}
          consequences={texts.countTickedConsequences}
          confirmLabel={texts.countTickedConfirm}
          change={ask}
          danger={false}
          errorFallback={texts.countTickedFailed}
          onConfirm={send}
          onCancel={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}
