import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { readSetting, type StocktakeDatabase, settings, writeSetting } from "../offline/offline.ts";
import type { DebounceMode } from "./debounce.ts";
import {
  type AudioSettings,
  clampVolume,
  createSounds,
  defaultAudioSettings,
  type SoundName,
  type Sounds,
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

/** `kept` with what a person changed from `shown` to `changed`, and nothing else of it. */
function withChanges(
  kept: ScannerSettings,
  shown: ScannerSettings,
  changed: ScannerSettings,
): ScannerSettings {
  const { enabled, volume } = changed.audio;
  return {
    audio: {
      enabled: enabled === shown.audio.enabled ? kept.audio.enabled : enabled,
      volume: volume === shown.audio.volume ? kept.audio.volume : volume,
    },
    debounce: changed.debounce === shown.debounce ? kept.debounce : changed.debounce,
  };
}

/**
 * The device's scanner settings; a change is kept at once. One that is made before the kept settings have been read
 * changes those, not the defaults that were shown meanwhile.
 */
export function useScannerSettings(
  database: StocktakeDatabase,
): [ScannerSettings, (changed: ScannerSettings) => void] {
  const [value, setValue] = useState(defaults);
  /** What was changed before the reading; null once it has been read. */
  const early = useRef<ScannerSettings | null>(defaults);
  const keep = useCallback(
    (kept: ScannerSettings) => void writeScannerSettings(database, kept).catch(globalThis.reportError),
    [database],
  );
  useEffect(() => {
    early.current = defaults;
    readScannerSettings(database).then((kept) => {
      const changed = early.current ?? defaults;
      early.current = null;
      const merged = withChanges(kept, defaults, changed);
      setValue(merged);
      if (changed !== defaults) keep(merged);
    }, globalThis.reportError);
  }, [database, keep]);
  const change = useCallback(
    (changed: ScannerSettings) => {
      const clamped = { ...changed, audio: { ...changed.audio, volume: clampVolume(changed.audio.volume) } };
      setValue(clamped);
      if (early.current === null) keep(clamped);
      else early.current = clamped;
    },
    [keep],
  );
  return [value, change];
}

/** Opens the audio hardware with the first key or touch, or at once where the page was touched before. */
function usePreparing(sounds: Sounds, isEnabled: boolean): void {
  useEffect(() => {
    if (!isEnabled) return;
    const controller = new AbortController();
    const prepare = () => {
      controller.abort();
      sounds.prepare();
    };
    const options = { capture: true, signal: controller.signal };
    document.addEventListener("keydown", prepare, options);
    document.addEventListener("pointerup", prepare, options);
    // Browsers without this interface prepare with the next key.
    if (globalThis.navigator.userActivation?.hasBeenActive === true) prepare();
    return () => controller.abort();
  }, [sounds, isEnabled]);
}

/** Gives a function that plays a sound and vibrates. */
export function useFeedback(audio: AudioSettings): (name: SoundName) => void {
  const sounds = useMemo(createSounds, []);
  useEffect(() => () => sounds.close(), [sounds]);
  usePreparing(sounds, audio.enabled);
  return useCallback(
    (name) => {
      sounds.play(name, audio);
      vibrate(name);
    },
    [sounds, audio],
  );
}
