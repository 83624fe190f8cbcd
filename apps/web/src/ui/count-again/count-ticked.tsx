import { Button, Group, Text } from "@mantine/core";
import { type askSecondCounts, type CallAnswer, limits } from "@stocktake/contract";
import { useState } from "react";
import { useAskOfSkus } from "../../http/second-counts.ts";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { partsText } from "../formats.ts";
import { Notice } from "../notice.tsx";
import { countAgainMessages as texts } from "./count-again-messages.ts";
import type { Ticking } from "./count-again-rows.tsx";

type Asked = CallAnswer<typeof askSecondCounts>;

/** SKUs that are ticked in a list, whichever of its pages is shown. */
export function useTicking(): Ticking & { readonly clear: () => void } {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  return {
    ticked,
    onTick(sku, isTicked) {
      const after = new Set(ticked);
      if (isTicked) after.add(sku);
      else after.delete(sku);
      setTicked(after);
    },
    clear: () => setTicked(new Set()),
  };
}

/** How many are ticked, and one button for them; nothing while none is. */
export function TickedBar({ count, label, onPress }: { count: number; label: string; onPress: () => void }) {
  const isTooMany = count > limits.skusToCountAgain;
  return (
    <Group gap="sm">
      <Text role="status" fz="sm" c="dimmed">
        {isTooMany ? texts.tooMany(limits.skusToCountAgain) : count === 0 ? null : texts.ticked(count)}
      </Text>
      {count === 0 ? null : (
        <Button size="sm" variant="default" disabled={isTooMany} onClick={onPress}>
          {label}
        </Button>
      )}
    </Group>
  );
}

/** What came of asking: how many counts, and what could not be asked for and why. */
function AskedNotice({ asked }: { asked: Asked }) {
  const { secondCounts, notAsked } = asked;
  return (
    <Notice kind={notAsked.length === 0 ? "info" : "warning"} role="status">
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
  readonly ticking: ReturnType<typeof useTicking>;
}

/** Has the ticked SKUs counted a second time wherever they were counted, once that is confirmed. */
export function CountTicked({ sessionId, ticking: { ticked, clear } }: CountTickedProps) {
  const ask = useAskOfSkus(sessionId);
  const [isAsking, setAsking] = useState(false);
  const done = () => {
    setAsking(false);
    clear();
  };
  return (
    <>
      <TickedBar count={ticked.size} label={texts.countTicked} onPress={() => setAsking(true)} />
      {ask.data === undefined || ticked.size > 0 ? null : <AskedNotice asked={ask.data} />}
      {isAsking ? (
        <ConfirmDialog
          title={texts.countTickedTitle(ticked.size)}
          message={texts.countTickedQuestion}
          consequences={texts.countTickedConsequences}
          confirmLabel={texts.countTickedConfirm}
          change={ask}
          danger={false}
          errorFallback={texts.countTickedFailed}
          onConfirm={() => ask.send([...ticked], done)}
          onCancel={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}
