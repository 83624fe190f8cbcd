import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { useStartFollowUp } from "../../http/follow-ups.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { CountAgainBar } from "../../ui/count-again/count-ticked.tsx";
import { Outcome } from "../../ui/focus/outcome.tsx";
import { countText } from "../../ui/formats.ts";
import { Notice } from "../../ui/notice.tsx";
import { OperationProgress } from "../../ui/operation-progress.tsx";
import type { Ticking } from "../../ui/ticking/ticking.ts";
import { messages } from "./messages.ts";

const { followUp: texts } = messages;

interface StartFollowUpProps {
  readonly sessionId: string;
  readonly ticking: Ticking;
}

/** Starts a session of the ticked SKUs of one that has ended, once that is confirmed. */
export function StartFollowUp({ sessionId, ticking }: StartFollowUpProps) {
  const { ticked, tick } = ticking;
  const starting = useStartFollowUp(sessionId);
  const [isAsking, setAsking] = useState(false);
  const start = () => {
    const skus = [...ticked];
    starting.send(skus, () => {
      setAsking(false);
      // Just these: another window may have marked more meanwhile.
      tick(skus, false);
    });
  };
  return (
    <>
      <CountAgainBar ticking={ticking} label={texts.start} onPress={() => setAsking(true)} />
      <Outcome>
        {starting.isSuccess ? (
          <Notice
            kind="success"
            action={
              <Button component={Link} to="/admin/sessions" variant="default" size="sm">
                {texts.toSessions}
              </Button>
            }
          >
            {texts.started}
          </Notice>
        ) : null}
      </Outcome>
      {isAsking ? (
        <ConfirmDialog
          title={texts.title(countText(ticked.size, "SKU", "SKUs"))}
          message={texts.question}
          consequences={texts.consequences}
          confirmLabel={texts.confirm}
          busyLabel={texts.busy}
          change={starting}
          danger={false}
          errorFallback={texts.failed}
          onConfirm={start}
          onCancel={() => setAsking(false)}
        >
          {starting.operation === null ? null : (
            <OperationProgress label={texts.busy} operation={starting.operation} />
          )}
        </ConfirmDialog>
      ) : null}
    </>
  );
}
