import { Button, Stack } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { AssigningFields } from "../assigning/assigning-fields.tsx";
import { plannedMessages } from "./messages.ts";
import { useAreasOf } from "./plan-areas.tsx";
import { assignmentsOf, onlyCounted, type PlanDraft } from "./plan-draft.ts";

/** Comes into view as somebody unfolds it, with the focus on its first field: it lies below what the dialog shows. */
function Unfolded({ isWanted, children }: { readonly isWanted: boolean; readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isWanted) return;
    box.current?.scrollIntoView({ block: "start" });
    box.current?.querySelector("select")?.focus({ preventScroll: true });
  }, [isWanted]);
  return <div ref={box}>{children}</div>;
}

interface PlanAssignmentsProps {
  readonly draft: PlanDraft;
  readonly onChange: (changes: Partial<PlanDraft>) => void;
}

/** Whose areas are which once the session starts. Folded away until somebody wants it, as most plans leave it open. */
export function PlanAssignments({ draft, onChange }: PlanAssignmentsProps) {
  const places = useAreasOf(draft.storeId);
  const assignments = assignmentsOf(draft);
  const [isOpen, setOpen] = useState(
    () => assignments.enforced || assignments.people.some(({ areaIds }) => areaIds.length > 0),
  );
  const [isPressed, setPressed] = useState(false);
  const all = places.flatMap(({ location, areas }) =>
    areas.map((area) => ({ ...area, locationName: location.name })),
  );
  const areas = onlyCounted(draft, all, ({ _id }) => _id);
  if (areas.length === 0 || assignments.people.length === 0) return null;
  const toggle = (personId: string, areaIds: readonly string[], on: boolean) => {
    const others = (draft.assigned.get(personId) ?? []).filter((id) => !areaIds.includes(id));
    const own = on ? [...others, ...areaIds] : others;
    onChange({ assigned: new Map(draft.assigned).set(personId, own) });
  };
  return (
    <Stack gap="sm">
      <Button
        variant="default"
        aria-expanded={isOpen}
        style={{ alignSelf: "flex-start" }}
        onClick={() => {
          setOpen(!isOpen);
          setPressed(true);
        }}
      >
        {plannedMessages.assign}
      </Button>
      {isOpen ? (
        <Unfolded isWanted={isPressed}>
          <AssigningFields
            {...{ areas, assignments }}
            onToggle={toggle}
            onEnforce={(assignmentsEnforced) => onChange({ assignmentsEnforced })}
          />
        </Unfolded>
      ) : null}
    </Stack>
  );
}
