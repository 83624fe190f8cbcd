import { Button, Stack, Text } from "@mantine/core";
import { type CountingSession, releaseSession } from "@stocktake/contract";
import { useState } from "react";
import { callApi } from "../../../http/call.ts";
import { staleAfter } from "../../../http/query-roots.ts";
import { useChange } from "../../../http/use-change.ts";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { SuccessMessage } from "../../../ui/success-message.tsx";
import { type Compared, type Comparisons, movedNothing, useComparisons } from "./compare-each.ts";
import { HeldSessions } from "./held-sessions.tsx";
import { messages, review } from "./messages.ts";
import { ReleaseDialog } from "./release-dialog.tsx";

/** Releases sessions of which nothing is recorded, one call each; ends at the first that is refused. */
function useReleaseEach() {
  const [released, setReleased] = useState(0);
  const change = useChange(async (ids: readonly string[]) => {
    setReleased(0);
    for (const id of ids) {
      await callApi(releaseSession, { params: { id }, body: {} });
      setReleased((before) => before + 1);
    }
    return ids.length;
  }, staleAfter.report);
  return { change, released };
}

const skusOf = (compared: Compared | undefined) =>
  compared?.kind === "compared" ? compared.preview.checked : 0;

interface UnmovedProps {
  readonly unmoved: readonly CountingSession[];
  readonly comparisons: Comparisons;
  readonly release: ReturnType<typeof useReleaseEach>;
  readonly onDone: (message: string) => void;
}

/** The sessions that need no decision, with their figures, and the one button that releases them. */
function Unmoved({ unmoved, comparisons, release: { change, released }, onDone }: UnmovedProps) {
  if (unmoved.length === 0) return null;
  const figures = {
    sessions: unmoved.length,
    skus: unmoved.reduce((sum, { _id }) => sum + skusOf(comparisons.get(_id)), 0),
  };
  const confirm = () =>
    change.send(
      unmoved.map(({ _id }) => _id),
      (done) => onDone(review.released(done)),
    );
  return (
    <Notice kind="success" title={review.unmoved(unmoved.length)}>
      <Stack gap="xs">
        <div>{review.unmovedFigures(figures)}</div>
        <div>{review.unmovedMeans}</div>
        <Button onClick={confirm} disabled={change.isPending} style={{ alignSelf: "flex-start" }}>
          {change.isPending
            ? review.releasing(released, unmoved.length)
            : review.releaseUnmoved(unmoved.length)}
        </Button>
      </Stack>
    </Notice>
  );
}

interface ListProps {
  readonly held: readonly CountingSession[];
  readonly ended: readonly CountingSession[];
  readonly message: string | null;
  readonly review: ReturnType<typeof useComparisons>;
  readonly onDone: (message: string | null) => void;
  readonly onChoose: (sessionId: string) => void;
  readonly onClose: () => void;
}

/** How far the comparison has come, and the way to make those again that failed. */
function Progress({ ended, review: { comparisons, compareFailedAgain } }: ListProps) {
  const compared = ended.filter(({ _id }) => comparisons.has(_id)).length;
  const failed = ended.filter(({ _id }) => comparisons.get(_id)?.kind === "failed").length;
  if (compared < ended.length) {
    return (
      <Text role="status" className="tabular">
        {review.comparing(compared, ended.length)}
      </Text>
    );
  }
  if (failed === 0) return null;
  return (
    <Notice
      kind="warning"
      title={review.failed(failed)}
      action={
        <Button variant="default" size="sm" onClick={compareFailedAgain}>
          {review.again}
        </Button>
      }
    >
      {review.failedText}
    </Notice>
  );
}

/** Every session that waits, what it looks like, and its own dialog; those that need no decision at once. */
function ReleaseListDialog(props: ListProps) {
  const { held, ended, message, onDone, onChoose, onClose } = props;
  const { comparisons } = props.review;
  const release = useReleaseEach();
  const unmoved = ended.filter(({ _id }) => movedNothing(comparisons.get(_id)));
  const isBusy = release.change.isPending;
  return (
    <Dialog title={review.title} size="xl" onClose={isBusy ? () => undefined : onClose}>
      <Stack gap="sm">
        <SuccessMessage floats message={message} onClose={() => onDone(null)} />
        {held.length === 0 ? <Text>{review.allReleased}</Text> : <Text>{review.intro}</Text>}
        <Progress {...props} />
        <ErrorBox error={release.change.error} fallback={messages.failed} />
        <Unmoved unmoved={unmoved} comparisons={comparisons} release={release} onDone={onDone} />
        <HeldSessions held={held} comparisons={comparisons} isBusy={isBusy} onChoose={onChoose} />
        <DialogActions>
          <Button variant="default" onClick={onClose} disabled={isBusy} data-autofocus>
            {review.close}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}

interface ReleaseReviewProps {
  readonly held: readonly CountingSession[];
  readonly onClose: () => void;
}

/** Goes through the sessions that a restore holds back: the list, and from it the dialog of each. */
export function ReleaseReview({ held, onClose }: ReleaseReviewProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const ended = held.filter(({ status }) => status === "closed");
  const comparing = useComparisons(ended);
  if (chosen !== null) {
    return <ReleaseDialog sessionId={chosen} onDone={setMessage} onClose={() => setChosen(null)} />;
  }
  return (
    <ReleaseListDialog
      {...{ held, ended, message, onClose }}
      review={comparing}
      onDone={setMessage}
      onChoose={setChosen}
    />
  );
}
