import { Button, Group, Stack, Switch, Text } from "@mantine/core";
import { useId } from "react";
import { type StocktakeDatabase, useDeviceState } from "../../offline/offline.ts";
import type { SoundName } from "../../scanner/feedback.ts";
import { useFeedback, useScannerSettings } from "../../scanner/use-feedback.ts";
import { ErrorMessage } from "../../ui/error-box.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { messages } from "./messages.ts";
import classes from "./settings.module.css";

const { audio: labels } = messages;

const samples: readonly SoundName[] = ["beep", "buzz", "chime", "fanfare", "call"];

interface VolumeProps {
  readonly value: number;
  readonly disabled: boolean;
  readonly onChange: (volume: number) => void;
}

function Volume({ value, disabled, onChange }: VolumeProps) {
  const id = useId();
  const percent = Math.round(value * 100);
  return (
    <div>
      <label className={classes.label} htmlFor={id}>
        {labels.volume} <span className="tabular">{percent}%</span>
      </label>
      <input
        id={id}
        className={classes.range}
        type="range"
        min={0}
        max={1}
        step={0.1}
        value={value}
        disabled={disabled}
        aria-valuetext={`${percent} percent`}
        onChange={(event) => onChange(Number(event.target.value))}
      />
    </div>
  );
}

/** The sounds of this device's scan screen; a change is saved at once. */
export function AudioSettingsForm({ database }: { database: StocktakeDatabase }) {
  const feedback = useFeedback(database);
  const value = useScannerSettings(feedback);
  const { change, play } = feedback;
  const { enabled, volume } = value.audio;
  return (
    <Stack gap="sm">
      <Text c="dimmed">{labels.intro}</Text>
      <Switch
        label={labels.enabled}
        checked={enabled}
        onChange={(event) => change({ ...value, audio: { enabled: event.currentTarget.checked, volume } })}
      />
      <Volume
        value={volume}
        disabled={!enabled}
        onChange={(chosen) => change({ ...value, audio: { enabled, volume: chosen } })}
      />
      <Group gap="xs">
        {samples.map((name) => (
          <Button key={name} variant="default" size="sm" disabled={!enabled} onClick={() => play(name)}>
            {labels.samples[name]}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}

export function AudioDefaults() {
  const state = useDeviceState();
  switch (state.status) {
    case "opening":
      return <LoadingState />;
    case "unavailable":
      return <ErrorMessage message={labels.failed} advice={state.reason} />;
    case "ready":
      return <AudioSettingsForm database={state.device.database} />;
  }
}
