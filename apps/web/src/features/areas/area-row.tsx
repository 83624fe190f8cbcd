import { Button } from "@mantine/core";
import type { Area, AreaStatus } from "@stocktake/contract";
import { StatusBadge, type StatusTone } from "../../ui/status-badge.tsx";
import classes from "./area-row.module.css";
import { texts } from "./texts.ts";

const tones: Record<AreaStatus, StatusTone> = {
  not_started: "neutral",
  in_progress: "info",
  closed: "positive",
};

interface AreaRowProps {
  readonly area: Area;
  readonly onReopen: () => void;
  readonly onDelete: () => void;
}

export function AreaRow({ area, onReopen, onDelete }: AreaRowProps) {
  return (
    <li className={classes.row}>
      <span className={classes.name}>
        <span className={classes.code}>{area.code}</span>
        {area.name}
      </span>
      {area.recountNeeded === true ? <StatusBadge tone="negative">{texts.recountNeeded}</StatusBadge> : null}
      <StatusBadge tone={tones[area.status]}>{texts.status[area.status]}</StatusBadge>
      <span className={classes.actions}>
        {area.status === "closed" ? (
          <Button variant="subtle" size="sm" onClick={onReopen} aria-label={`${texts.reopen} ${area.code}`}>
            {texts.reopen}
          </Button>
        ) : null}
        <Button
          variant="subtle"
          color="red"
          size="sm"
          onClick={onDelete}
          aria-label={`${texts.remove} ${area.code}`}
        >
          {texts.remove}
        </Button>
      </span>
    </li>
  );
}
