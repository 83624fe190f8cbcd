import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import { sessionsQuery } from "../../../http/shared-queries.ts";
import { LoadingState } from "../../../ui/loading-state.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { review } from "./messages.ts";

// Every dashboard looks for restored sessions; hardly one has any.
const loadReview = async () => ({ default: (await import("./release-review.tsx")).ReleaseReview });
const ReleaseReview = lazy(loadReview);

/** Says that the installation came out of a backup, until each of the backup's sessions is released, and leads there. */
export function RestoredSessions() {
  const { data = [] } = useQuery(sessionsQuery);
  const [isOpen, setOpen] = useState(false);
  const held = data.filter(({ restored }) => restored === true);
  const isAny = held.length > 0;
  // Before it is pressed: by then an update may have taken the file away.
  useEffect(() => {
    if (isAny) loadReview().catch(globalThis.reportError);
  }, [isAny]);
  return (
    <>
      {isAny ? (
        <Notice
          kind="warning"
          title={review.notice}
          action={
            <Button variant="default" size="sm" onClick={() => setOpen(true)}>
              {review.open}
            </Button>
          }
        >
          {review.noticeText(held.length)}
        </Notice>
      ) : null}
      {isOpen ? (
        <Suspense fallback={<LoadingState />}>
          <ReleaseReview held={held} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
