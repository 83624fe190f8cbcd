import { Button, Radio, Stack, Switch } from "@mantine/core";
import { useCallback, useId } from "react";
import type { CountingDevice } from "../../offline/offline.ts";
import type { SoundName } from "../../scanner/sounds.ts";
import type { ScannerSettings } from "../../scanner/use-feedback.ts";
import { Dialog } from "../../ui/dialog.tsx";
import classes from "./device-settings.module.css";
import { DeviceStorage } from "./device-storage.tsx";
import { words } from "./messages.ts";
import { QueuePanel } from "./queue-panel.tsx";
import { useScanWarning } from "./scan-warning.tsx";

interface DeviceSettingsProps {
  readonly device: CountingDevice;
  readonly value: ScannerSettings;
  readonly onChange: (changed: ScannerSettings) => void;
  readonly onTry: (name: SoundName) => void;
  readonly onClose: () => void;
}

function Volume({ value, onChange, onTry }: Pick<DeviceSettingsProps, "value" | "onChange" | "onTry">) {
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
        onPointerUp={() => onTry("beep")}
      />
    </div>
  );
}

/** What a person sets for this device alone: sounds, and which repeats are ignored; and what waits in its queue. */
export function DeviceSettings({ device, value, onChange, onTry, onClose }: DeviceSettingsProps) {
  const { audio, debounce } = value;
  const scanWarning = useScanWarning(
    words.closeFirst,
    useCallback(() => onTry("knock"), [onTry]),
  );
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
        <Volume value={value} onChange={onChange} onTry={onTry} />
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
