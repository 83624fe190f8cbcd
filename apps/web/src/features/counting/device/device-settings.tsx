import { Button, Radio, Stack, Switch, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { type CountingDevice, useQueueState } from "../../../offline/offline.ts";
import type { Feedback, ScannerSettings } from "../../../scanner/feedback.ts";
import { useScannerSettings } from "../../../scanner/use-feedback.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { countText, dateTimeText, quantityText } from "../../../ui/formats.ts";
import { statisticsQuery } from "../lists/counter-queries.ts";
import { messages } from "../messages.ts";
import classes from "./device-settings.module.css";
import { QueuePanel } from "./queue-panel.tsx";
import { useScanWarning } from "./scan-warning.tsx";

interface DeviceSettingsProps {
  readonly device: CountingDevice;
  readonly feedback: Feedback;
  readonly onClose: () => void;
}

interface VolumeProps {
  readonly value: ScannerSettings;
  readonly onChange: (changed: ScannerSettings) => void;
  readonly onTry: () => void;
}

function Volume({ value, onChange, onTry }: VolumeProps) {
  const id = useId();
  const { audio } = value;
  return (
    <div>
      <label className={classes.label} htmlFor={id}>
        Volume
      </label>
      <input
        id={id}
        className={classes.range}
        type="range"
        min={0}
        max={1}
        step={0.1}
        value={audio.volume}
        disabled={!audio.enabled}
        aria-valuetext={`${Math.round(audio.volume * 100)} percent`}
        onChange={(event) => onChange({ ...value, audio: { ...audio, volume: Number(event.target.value) } })}
        onPointerUp={onTry}
      />
    </div>
  );
}

const bytesPerMegabyte = 1_048_576;

/** What is in this device's database, and how much of its room that takes. */
function DeviceStorage({ device }: { device: CountingDevice }) {
  const { data } = useQuery(statisticsQuery(device, useQueueState(device)));
  if (data === undefined) return null;
  const { pendingScans, pendingSubmissions, acknowledged, acknowledgedSince, usage, quota, percentage } =
    data;
  const products = countText(data.products, "product", "products");
  const scans = countText(pendingScans, "pending scan", "pending scans");
  const submissions = countText(pendingSubmissions, "pending submission", "pending submissions");
  const held = `${products}, ${scans}, ${submissions}.`;
  const megabytes = (bytes: number) => quantityText(Math.round((bytes / bytesPerMegabyte) * 10) / 10);
  return (
    <Text fz="sm" c="dimmed" className="tabular">
      On this device: {held}
      {usage === null || quota === null || percentage === null
        ? null
        : ` Storage: ${megabytes(usage)} of ${megabytes(quota)} MB (${percentage.toFixed(1)} %).`}
      {acknowledgedSince === null
        ? null
        : ` ${messages.acknowledgedKept(acknowledged, dateTimeText(acknowledgedSince))}`}
      {data.isPersistent === false ? ` ${messages.mayBeCleared}` : null}
    </Text>
  );
}

/** What a person sets for this device alone: sounds, and which repeats are ignored; and what waits in its queue. */
export function DeviceSettings({ device, feedback, onClose }: DeviceSettingsProps) {
  const value = useScannerSettings(feedback);
  const onChange = feedback.change;
  const { audio, debounce } = value;
  const scanWarning = useScanWarning(messages.closeFirst, () => feedback.play("alarm"));
  return (
    <Dialog title="Device Settings" onClose={onClose}>
      <Stack gap="sm">
        {scanWarning}
        <Switch
          className={classes.choice ?? ""}
          label="Sounds"
          size="lg"
          checked={audio.enabled}
          onChange={(event) =>
            onChange({ ...value, audio: { ...audio, enabled: event.currentTarget.checked } })
          }
        />
        <Volume value={value} onChange={onChange} onTry={() => feedback.play("beep")} />
        <Radio.Group
          size="md"
          label="Within 1 second of a scan, ignore"
          value={debounce}
          onChange={(mode) => onChange({ ...value, debounce: mode === "same_code" ? "same_code" : "any" })}
        >
          <Stack gap={0} mt="xs">
            <Radio className={classes.choice ?? ""} size="md" value="any" label="any further scan" />
            <Radio
              className={classes.choice ?? ""}
              size="md"
              value="same_code"
              label="only the same code again"
            />
          </Stack>
        </Radio.Group>
        <QueuePanel device={device} />
        <DeviceStorage device={device} />
        <Button variant="default" size="lg" onClick={onClose}>
          Close
        </Button>
      </Stack>
    </Dialog>
  );
}
