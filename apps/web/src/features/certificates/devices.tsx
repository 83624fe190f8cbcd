import { Button, Group, Text } from "@mantine/core";
import { type CoveredDevice, limits, stateDevices } from "@stocktake/contract";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorBox } from "../../ui/error-box.tsx";
import { countText, dateTimeText, deviceText, partsText, quantityText } from "../../ui/formats.ts";
import { Section } from "../../ui/section.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { QuietTable } from "../../ui/tables/quiet-table.tsx";
import { devicesQuery, useStateDevices } from "./api.ts";
import { LoadedRows } from "./loaded-rows.tsx";
import { messages } from "./messages.ts";
import { ReasonDialog } from "./reason-dialog.tsx";

const { devices: texts } = messages;

/** "Ada · …4f2a91": who used it last, and the device's own label. */
const nameOf = ({ username, deviceId }: CoveredDevice) => partsText(username, deviceText(deviceId));
const idsOf = (devices: readonly CoveredDevice[]) => devices.map(({ deviceId }) => deviceId);
const timeText = (at: string | null) => (at === null ? null : dateTimeText(at));

function stateText({ state, pending }: CoveredDevice): string {
  return state === "holds" ? texts.holds(countText(pending ?? 0, ...texts.rows)) : texts.states[state];
}

/** One that says that it holds rows is none that a word accounts for. */
const isUnknown = ({ state }: CoveredDevice) => state === "never_heard" || state === "scans_alone";

interface AccountDialogProps {
  readonly sessionId: string;
  readonly devices: readonly CoveredDevice[];
  readonly onClose: () => void;
}

function AccountDialog({ sessionId, devices, onClose }: AccountDialogProps) {
  const change = useStateDevices(sessionId);
  return (
    <ReasonDialog
      title={texts.title(countText(devices.length, ...texts.rowMessages))}
      text={texts.text}
      about={texts.which(devices.map(nameOf).join(", "))}
      schema={stateDevices.body}
      bodyOf={(reason) => ({ deviceIds: idsOf(devices), stated: true, reason })}
      change={change}
      onClose={onClose}
    />
  );
}

/** The devices that are to be accounted for: each with what is known of its queue, and why that is not enough. */
export function OpenDevices({ sessionId }: { readonly sessionId: string }) {
  const query = useInfiniteQuery(devicesQuery(sessionId, "open"));
  const [accounting, setAccounting] = useState<readonly CoveredDevice[] | null>(null);
  return (
    <LoadedRows query={query} rowsOf={(page) => page.devices}>
      {(devices, total) => {
        const unknown = devices.filter(isUnknown).slice(0, limits.devicesPerCall);
        return (
          <Section title={texts.heading(quantityText(total))}>
            {unknown.length < 2 ? null : (
              <Group>
                <Button variant="default" size="sm" onClick={() => setAccounting(unknown)}>
                  {texts.all(unknown.length)}
                </Button>
              </Group>
            )}
            <ShowMore rowMessages={texts.rowMessages} shown={devices.length} total={total} query={query}>
              <QuietTable
                label={texts.table}
                rows={devices}
                keyOf={({ deviceId }) => deviceId}
                columns={[
                  { header: texts.device, cell: nameOf },
                  { header: texts.state, cell: stateText },
                  { header: texts.opened, cell: ({ openedAt }) => timeText(openedAt) },
                  { header: texts.heard, cell: ({ heardAt }) => timeText(heardAt) },
                  {
                    header: texts.action,
                    hiddenHeader: true,
                    cell: (device) =>
                      isUnknown(device) ? (
                        <Button
                          variant="default"
                          size="sm"
                          aria-label={texts.accountFor(nameOf(device))}
                          onClick={() => setAccounting([device])}
                        >
                          {texts.account}
                        </Button>
                      ) : null,
                  },
                ]}
              />
            </ShowMore>
            {accounting === null ? null : (
              <AccountDialog sessionId={sessionId} devices={accounting} onClose={() => setAccounting(null)} />
            )}
          </Section>
        );
      }}
    </LoadedRows>
  );
}

function Statement({ said }: CoveredDevice) {
  if (said === null) return null;
  const { reason, by, at, holds } = said;
  return (
    <Text fz="sm" style={{ overflowWrap: "anywhere" }}>
      {partsText(reason, `${by}, ${dateTimeText(at)}`, holds ? null : texts.noLonger)}
    </Text>
  );
}

/** The devices that were accounted for, to be taken back; nothing where none was. */
export function DecidedDevices({ sessionId }: { readonly sessionId: string }) {
  const query = useInfiniteQuery(devicesQuery(sessionId, "decided"));
  const takeBack = useStateDevices(sessionId);
  return (
    <LoadedRows query={query} rowsOf={(page) => page.devices} quiet>
      {(devices, total) => {
        return (
          <Section title={texts.decided(quantityText(total))}>
            <ErrorBox error={takeBack.error} fallback={texts.failed} />
            <ShowMore rowMessages={texts.rowMessages} shown={devices.length} total={total} query={query}>
              <QuietTable
                label={texts.decidedTable}
                rows={devices}
                keyOf={({ deviceId }) => deviceId}
                columns={[
                  { header: texts.device, cell: nameOf },
                  { header: texts.state, cell: stateText },
                  { header: texts.statement, cell: (device) => <Statement {...device} /> },
                  {
                    header: texts.takeBack,
                    hiddenHeader: true,
                    cell: (device) => (
                      <Button
                        variant="default"
                        size="sm"
                        disabled={takeBack.isPending}
                        aria-label={texts.takeBackFor(nameOf(device))}
                        onClick={() => takeBack.send({ deviceIds: [device.deviceId], stated: false })}
                      >
                        {texts.takeBack}
                      </Button>
                    ),
                  },
                ]}
              />
            </ShowMore>
          </Section>
        );
      }}
    </LoadedRows>
  );
}
