import { Anchor, Button, Stack, Switch } from "@mantine/core";
import {
  type Area,
  areaLabelOf,
  type CountingSession,
  type Location,
  type SessionCode,
} from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { code128, drawingSVG } from "bwip-js/browser";
import { useMemo, useState } from "react";
import { Link, useParams } from "react-router";
import { areasQuery, locationsQuery, sessionCodeQuery, sessionsQuery } from "../../http/shared-queries.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { dateText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { qrCodePicture } from "../../ui/qr-code.ts";
import classes from "./area-labels.module.css";
import { labelsHelp } from "./help.ts";
import { messages } from "./messages.ts";

/** Code 128, which every hand scanner and every phone's camera reads. In millimetres at the printed size. */
const barHeight = 14;

/** The barcode of an area's label as the address of a picture, black on white. */
function areaBarcode(areaId: string): string {
  const svg = code128({ bcid: "code128", text: areaLabelOf(areaId), height: barHeight }, drawingSVG());
  // Some codes take fewer bars; stretched, every label's are equally wide and high.
  const stretching = svg.replace("<svg ", '<svg preserveAspectRatio="none" ');
  return `data:image/svg+xml,${encodeURIComponent(stretching)}`;
}

const { labels } = messages;

function Label({ area, place }: { area: Area; place: string }) {
  const barcode = useMemo(() => areaBarcode(area._id), [area._id]);
  return (
    <li className={classes.label}>
      <div className={classes.place}>{place}</div>
      <div className={classes.code}>{area.code}</div>
      {area.name === area.code ? null : <div className={classes.name}>{area.name}</div>}
      <img className={classes.bars} src={barcode} alt={labels.barcode(area.code)} />
      <div className={classes.text}>{areaLabelOf(area._id)}</div>
    </li>
  );
}

/** The open code of the session that counts a store. */
interface OpenCode {
  readonly session: CountingSession;
  readonly code: SessionCode;
}

/** Asks for a code only while the store is counted. */
function useOpenCode(storeId: string | undefined): OpenCode | null {
  const { data: sessions } = useQuery(sessionsQuery);
  const session = sessions?.find(({ status, storeId: { _id } }) => status === "active" && _id === storeId);
  const { data } = useQuery({ ...sessionCodeQuery(session?._id ?? ""), enabled: session !== undefined });
  const code = data?.code ?? null;
  return session === undefined || code === null ? null : { session, code };
}

/** Hung up beside the others, it lets people ask to count with their own phones. */
function CodeLabel({ session, code }: OpenCode) {
  const picture = useMemo(() => qrCodePicture(code.link), [code.link]);
  return (
    <li className={classes.label}>
      <div className={classes.heading}>{labels.codeHeading(session.storeId.name)}</div>
      <img className={classes.picture} src={picture} alt={labels.codePicture} />
      <div>{labels.codeText}</div>
      <div className={classes.place}>{labels.codeOf(dateText(session.startedAt))}</div>
      <div className={classes.link}>{code.link}</div>
    </li>
  );
}

interface SheetProps {
  readonly location: Location;
  readonly areas: readonly Area[];
  readonly openCode: OpenCode | null;
}

function Sheet({ location, areas, openCode }: SheetProps) {
  if (areas.length === 0) return <EmptyState title={labels.none}>{messages.noAreas}</EmptyState>;
  return (
    <ul className={classes.sheet} aria-label={labels.title}>
      {openCode === null ? null : <CodeLabel {...openCode} />}
      {areas.map((area) => (
        <Label key={area._id} area={area} place={`${location.storeId.name} · ${location.name}`} />
      ))}
    </ul>
  );
}

function useLabels(locationId: string | undefined) {
  const locations = useQuery(locationsQuery);
  const areas = useQuery(areasQuery);
  return {
    location: locations.data?.find((location) => location._id === locationId),
    areas: areas.data?.filter((area) => area.locationId === locationId) ?? [],
    isPending: locations.isPending || areas.isPending,
    error: locations.error ?? areas.error,
    refetch: () => Promise.all([locations.refetch(), areas.refetch()]),
  };
}

/** A sheet of labels to be cut out and put up in a location: a scanner that reads one opens its area. */
export function AreaLabelsPage() {
  const { location, areas, isPending, error, refetch } = useLabels(useParams().locationId);
  const openCode = useOpenCode(location?.storeId._id);
  const [isWithCode, setWithCode] = useState(false);
  const print = (
    <Button onClick={() => window.print()} disabled={areas.length === 0}>
      {labels.print}
    </Button>
  );
  return (
    <Stack gap="md">
      <div className="screen-only">
        <Anchor component={Link} to="/admin/locations">
          {labels.back}
        </Anchor>
        <PageHeader
          title={labels.title}
          subtitle={location === undefined ? "" : labels.subtitle(location.name)}
          actions={print}
          help={labelsHelp}
        />
        {openCode === null || areas.length === 0 ? null : (
          <Switch
            label={labels.withCode}
            checked={isWithCode}
            onChange={({ currentTarget }) => setWithCode(currentTarget.checked)}
          />
        )}
      </div>
      <ErrorBox error={error} fallback={messages.fetchFailed} onRetry={refetch} />
      {isPending ? <LoadingState /> : null}
      {!isPending && error === null && location === undefined ? (
        <EmptyState title={labels.gone}>{labels.goneText}</EmptyState>
      ) : null}
      {location === undefined || isPending ? null : (
        <Sheet location={location} areas={areas} openCode={isWithCode ? openCode : null} />
      )}
    </Stack>
  );
}
