import { useCallback, useEffect, useMemo, useState } from "react";
import type { StocktakeDatabase } from "../offline/database.ts";
import { readSetting, settings, writeSetting } from "../offline/settings.ts";
import type { DebounceMode } from "./debounce.ts";
import {
  type AudioSettings,
  clampVolume,
  createSounds,
  defaultAudioSettings,
  type SoundName,
  vibrate,
} from "./sounds.ts";

/** What a person set on this device for scanning. */
export interface ScannerSettings {
  readonly audio: AudioSettings;
  readonly debounce: DebounceMode;
}

const defaults: ScannerSettings = { audio: defaultAudioSettings, debounce: "any" };

async function readScannerSettings(database: StocktakeDatabase): Promise<ScannerSettings> {
  const [audio, debounce] = await Promise.all([
    readSetting(database, settings.audio),
    readSetting(database, settings.debounce),
  ]);
  return {
    audio: audio === null ? defaults.audio : { ...audio, volume: clampVolume(audio.volume) },
    debounce: debounce ?? defaults.debounce,
  };
}

async function writeScannerSettings(database: StocktakeDatabase, value: ScannerSettings): Promise<void> {
  const now = new Date().toISOString();
  await writeSetting(database, settings.audio, value.audio, now);
  await writeSetting(database, settings.debounce, value.debounce, now);
}

/** The device's scanner settings; a change is kept at once. */
export function useScannerSettings(
  database: StocktakeDatabase,
): [ScannerSettings, (changed: ScannerSettings) => void] {
  const [value, setValue] = useState(defaults);
  useEffect(() => {
    readScannerSettings(database).then(setValue, globalThis.reportError);
  }, [database]);
  const change = useCallback(
    (changed: ScannerSettings) => {
      const clamped = { ...changed, audio: { ...changed.audio, volume: clampVolume(changed.audio.volume) } };
      setValue(clamped);
      writeScannerSettings(database, clamped).catch(globalThis.reportError);
    },
    [database],
  );
  return [value, change];
}

/** Gives a function that plays a sound and vibrates. */
export function useFeedback(audio: AudioSettings): (name: SoundName) => void {
  const sounds = useMemo(createSounds, []);
  useEffect(() => () => sounds.close(), [sounds]);
  return useCallback(
    (name) => {
      sounds.play(name, audio);
      vibrate(name);
    },
    [sounds, audio],
  );
}
