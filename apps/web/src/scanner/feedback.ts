import { createObservable } from "../events/observable.ts";
import { readSetting, type StocktakeDatabase, settings as stored, writeSetting } from "../offline/offline.ts";
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

/** Sound and vibration for each scan, by the settings of this device. */
export interface Feedback {
  readonly settings: () => ScannerSettings;
  readonly subscribe: (listener: () => void) => () => void;
  /** A change is stored at once. One made before the stored settings have been read changes those, not the defaults. */
  readonly change: (changed: ScannerSettings) => void;
  readonly play: (name: SoundName) => void;
  /** Reads the stored settings, and opens the audio hardware with the first key or touch, until the returned function is called. */
  readonly start: () => () => void;
}

const defaults: ScannerSettings = { audio: defaultAudioSettings, debounce: "any" };

async function readScannerSettings(database: StocktakeDatabase): Promise<ScannerSettings> {
  const [audio, debounce] = await Promise.all([
    readSetting(database, stored.audio),
    readSetting(database, stored.debounce),
  ]);
  return {
    audio: audio === null ? defaults.audio : { ...audio, volume: clampVolume(audio.volume) },
    debounce: debounce ?? defaults.debounce,
  };
}

async function writeScannerSettings(database: StocktakeDatabase, value: ScannerSettings): Promise<void> {
  const now = new Date().toISOString();
  await writeSetting(database, stored.audio, value.audio, now);
  await writeSetting(database, stored.debounce, value.debounce, now);
}

/** The stored settings with what a person changed of the defaults, and nothing else of them. */
function withChanges(cached: ScannerSettings, changed: ScannerSettings): ScannerSettings {
  const { enabled, volume } = changed.audio;
  return {
    audio: {
      enabled: enabled === defaults.audio.enabled ? cached.audio.enabled : enabled,
      volume: volume === defaults.audio.volume ? cached.audio.volume : volume,
    },
    debounce: changed.debounce === defaults.debounce ? cached.debounce : changed.debounce,
  };
}

/** Opens the audio hardware with the first key or touch, or at once where the page was touched before. */
function prepareWhenTouched(sounds: Sounds, isEnabled: () => boolean): () => void {
  const controller = new AbortController();
  const prepare = () => {
    if (!isEnabled()) return;
    controller.abort();
    sounds.prepare();
  };
  const options = { capture: true, signal: controller.signal };
  document.addEventListener("keydown", prepare, options);
  document.addEventListener("pointerup", prepare, options);
  // Browsers without this interface prepare with the next key.
  if (globalThis.navigator.userActivation?.hasBeenActive === true) prepare();
  return () => controller.abort();
}

export function createFeedback(database: StocktakeDatabase): Feedback {
  const sounds = createSounds();
  const value = createObservable(defaults);
  let isRead = false;
  const store = () => void writeScannerSettings(database, value.get()).catch(globalThis.reportError);
  const read = async () => {
    const cached = await readScannerSettings(database);
    if (isRead) return;
    isRead = true;
    const changed = value.get();
    value.set(withChanges(cached, changed));
    if (changed !== defaults) store();
  };
  return {
    settings: value.get,
    subscribe: value.subscribe,
    change(changed) {
      value.set({ ...changed, audio: { ...changed.audio, volume: clampVolume(changed.audio.volume) } });
      if (isRead) store();
    },
    play(name) {
      sounds.play(name, value.get().audio);
      vibrate(name);
    },
    start() {
      if (!isRead) read().catch(globalThis.reportError);
      const stopPreparing = prepareWhenTouched(sounds, () => value.get().audio.enabled);
      return () => {
        stopPreparing();
        sounds.close();
      };
    },
  };
}
