import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { sessionsQuery } from "../../../http/shared-queries.ts";
import { Notice } from "../../../ui/notice.tsx";
import { review } from "./messages.ts";
import { ReleaseReview } from "./release-review.tsx";

/** Says that the installation came out of a backup, until each of the backup's sessions is released, and leads there. */
export function RestoredSessions() {
  const { data = [] } = useQuery(sessionsQuery);
  const [isOpen, setOpen] = useState(false);
  const held = data.filter(({ restored }) => restored === true);
  return (
    <>
      {held.length === 0 ? null : (
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
      )}
      {isOpen ? <ReleaseReview held={held} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
