import { Button, Card, Group, Text } from "@mantine/core";
import type { Area, Location } from "@stocktake/contract";
import { useState } from "react";
import { Link } from "react-router";
import { countText } from "../../ui/formats.ts";
import classes from "./area-row.module.css";
import { AreaRow } from "./area-row.tsx";
import { BulkAreasDialog } from "./bulk-areas-dialog.tsx";
import { EditLocationDialog } from "./edit-location-dialog.tsx";
import { DeleteAreaDialog, DeleteLocationDialog, ReopenAreaDialog } from "./removal-dialogs.tsx";
import { texts } from "./texts.ts";

/** What is being asked about; one dialog at a time. */
type Open =
  | { readonly kind: "areas" | "edit" | "delete" }
  | { readonly kind: "delete-area" | "reopen-area"; readonly area: Area };

interface LocationCardProps {
  readonly location: Location;
  readonly areas: readonly Area[];
  readonly onDone: (message: string) => void;
}

interface LocationDialogsProps extends LocationCardProps {
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
    case "delete-area":
      return <DeleteAreaDialog area={open.area} {...outcome} />;
    case "reopen-area":
      return <ReopenAreaDialog area={open.area} {...outcome} />;
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
        aria-label={`${texts.addAreas} ${name}`}
      >
        {texts.addAreas}
      </Button>
      {hasAreas ? (
        <Button
          component={Link}
          to={`/admin/locations/${encodeURIComponent(_id)}/labels`}
          variant="default"
          aria-label={`${texts.labelsLink} ${name}`}
        >
          {texts.labelsLink}
        </Button>
      ) : null}
      <Button variant="default" onClick={() => onOpen({ kind: "edit" })} aria-label={`${texts.edit} ${name}`}>
        {texts.edit}
      </Button>
      <Button
        variant="subtle"
        color="red"
        className={classes.remove ?? ""}
        onClick={() => onOpen({ kind: "delete" })}
        aria-label={`${texts.remove} ${name}`}
      >
        {texts.remove}
      </Button>
    </Group>
  );
}

export function LocationCard({ location, areas, onDone }: LocationCardProps) {
  const [open, setOpen] = useState<Open | null>(null);
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
      {areas.length === 0 ? <Text c="dimmed">{texts.noAreas}</Text> : null}
      <ul className={classes.list}>
        {areas.map((area) => (
          <AreaRow
            key={area._id}
            area={area}
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
