import { StatusBadge, type StatusTone } from "../../../ui/status-badge.tsx";
import { messages } from "../messages.ts";
import { type AreaProgress, recountText } from "../progress-summary.ts";

const tones: Record<AreaProgress["status"], StatusTone> = {
  not_started: "neutral",
  in_progress: "info",
  closed: "positive",
};

/** How far an area is; that it is to be counted again comes before anything else. */
export function AreaState({ area }: { area: AreaProgress }) {
  const recount = recountText(area);
  if (recount !== null) return <StatusBadge tone="warning">{recount}</StatusBadge>;
  return <StatusBadge tone={tones[area.status]}>{messages.areaStatus[area.status]}</StatusBadge>;
}
