import { Button, Card, Group, Text } from "@mantine/core";
import type { Area, AreaStatus, Location } from "@stocktake/contract";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { countText } from "../../ui/formats.ts";
import { StatusBadge, type StatusTone } from "../../ui/status-badge.tsx";
import classes from "./area-row.module.css";
import { BulkAreasDialog } from "./bulk-areas-dialog.tsx";
import { EditAreaDialog, EditLocationDialog } from "./edit-dialogs.tsx";
import { MergeDialog } from "./merge-dialog.tsx";
import { messages } from "./messages.ts";
import { DeleteAreaDialog, DeleteLocationDialog, ReopenAreaDialog } from "./removal-dialogs.tsx";

const tones: Record<AreaStatus, StatusTone> = {
  not_started: "neutral",
  in_progress: "info",
  closed: "positive",
};

interface AreaRowProps {
  readonly area: Area;
  readonly onEdit: () => void;
  readonly onMerge: () => void;
  readonly onReopen: () => void;
  readonly onDelete: () => void;
}

function AreaRow({ area, onEdit, onMerge, onReopen, onDelete }: AreaRowProps) {
  const isRequested = area.recountNeeded !== true && (area.recount ?? null) !== null;
  return (
    <li className={classes.row}>
      <span className={classes.name}>
        <span className={classes.code}>{area.code}</span>
        {area.name}
      </span>
      {area.recountNeeded === true ? (
        <StatusBadge tone="negative">{messages.recountNeeded}</StatusBadge>
      ) : null}
      {isRequested ? <StatusBadge tone="warning">{messages.recountRequested}</StatusBadge> : null}
      <StatusBadge tone={tones[area.status]}>{messages.status[area.status]}</StatusBadge>
      <span className={classes.actions}>
        {area.status === "closed" ? (
          <Button
            variant="subtle"
            size="sm"
            onClick={onReopen}
            aria-label={`${messages.reopen} ${area.code}`}
          >
            {messages.reopen}
          </Button>
        ) : null}
        <Button variant="subtle" size="sm" onClick={onEdit} aria-label={`${messages.edit} ${area.code}`}>
          {messages.edit}
        </Button>
        <Button
          variant="subtle"
          size="sm"
          onClick={onMerge}
          aria-label={`${messages.merge.button} ${area.code}`}
        >
          {messages.merge.button}
        </Button>
        <Button
          variant="subtle"
          color="red"
          size="sm"
          onClick={onDelete}
          aria-label={`${messages.remove} ${area.code}`}
        >
          {messages.remove}
        </Button>
      </span>
    </li>
  );
}

/** What is being asked about; one dialog at a time. */
type Open =
  | { readonly kind: "areas" | "edit" | "delete" }
  | { readonly kind: "edit-area" | "merge-area" | "delete-area" | "reopen-area"; readonly area: Area };

interface LocationCardProps {
  readonly location: Location;
  readonly areas: readonly Area[];
  /** Whoever has just added it is led on to its areas. */
  readonly asksForAreas: boolean;
  readonly onDone: (message: string) => void;
}

interface LocationDialogsProps extends Omit<LocationCardProps, "asksForAreas"> {
  readonly open: Open;
  readonly onClose: () => void;
}

function LocationDialogs({ open, location, areas, ...outcome }: LocationDialogsProps) {
  switch (open.kind) {
    case "areas":
      return <BulkAreasDialog location={location} present={areas} {...outcome} />;
    case "edit":
      return <EditLocationDialog location={location} {...outcome} />;
    case "delete":
      return <DeleteLocationDialog location={location} areas={areas.length} {...outcome} />;
    case "edit-area":
      return <EditAreaDialog area={open.area} areas={areas} {...outcome} />;
    case "merge-area":
      return <MergeDialog area={open.area} location={location} {...outcome} />;
    case "delete-area":
      return <DeleteAreaDialog area={open.area} {...outcome} />;
    case "reopen-area":
      return <ReopenAreaDialog area={open.area} location={location} {...outcome} />;
  }
}

interface LocationActionsProps {
  readonly location: Location;
  readonly hasAreas: boolean;
  readonly onOpen: (open: Open) => void;
}

function LocationActions({ location: { _id, name }, hasAreas, onOpen }: LocationActionsProps) {
  return (
    <Group gap="xs" className={classes.locationActions ?? ""}>
      <Button
        variant="light"
        onClick={() => onOpen({ kind: "areas" })}
        aria-label={`${messages.addAreas} ${name}`}
      >
        {messages.addAreas}
      </Button>
      {hasAreas ? (
        <Button
          component={Link}
          to={`/admin/locations/${encodeURIComponent(_id)}/labels`}
          variant="default"
          aria-label={`${messages.labelsLink} ${name}`}
        >
          {messages.labelsLink}
        </Button>
      ) : null}
      <Button
        variant="default"
        onClick={() => onOpen({ kind: "edit" })}
        aria-label={`${messages.edit} ${name}`}
      >
        {messages.edit}
      </Button>
      <Button
        variant="subtle"
        color="red"
        className={classes.remove ?? ""}
        onClick={() => onOpen({ kind: "delete" })}
        aria-label={`${messages.remove} ${name}`}
      >
        {messages.remove}
      </Button>
    </Group>
  );
}

export function LocationCard({ location, areas, asksForAreas, onDone }: LocationCardProps) {
  const [open, setOpen] = useState<Open | null>(null);
  useEffect(() => {
    if (asksForAreas) setOpen({ kind: "areas" });
  }, [asksForAreas]);
  return (
    <Card
      component="article"
      aria-label={location.name}
      className={classes.location ?? ""}
      p={{ base: "sm", sm: "md" }}
    >
      <Group justify="space-between" gap="sm" mb="sm">
        <div>
          <Text component="h3" fw={620} fz="lg">
            {location.name}
          </Text>
          <Text c="dimmed" fz="sm">
            {countText(areas.length, "area", "areas")}
          </Text>
        </div>
        <LocationActions location={location} hasAreas={areas.length > 0} onOpen={setOpen} />
      </Group>
      {areas.length === 0 ? <Text c="dimmed">{messages.noAreas}</Text> : null}
      <ul className={classes.list}>
        {areas.map((area) => (
          <AreaRow
            key={area._id}
            area={area}
            onEdit={() => setOpen({ kind: "edit-area", area })}
            onMerge={() => setOpen({ kind: "merge-area", area })}
            onReopen={() => setOpen({ kind: "reopen-area", area })}
            onDelete={() => setOpen({ kind: "delete-area", area })}
          />
        ))}
      </ul>
      {open === null ? null : (
        <LocationDialogs
          open={open}
          location={location}
          areas={areas}
          onDone={onDone}
          onClose={() => setOpen(null)}
        />
      )}
    </Card>
  );
}
