import { createObservable } from "../events/observable.ts";
import { readSetting, type StocktakeDatabase, settings as stored, writeSetting } from "../offline/offline.ts";
import type { DebounceMode } from "./debounce.ts";

/**
 * The specification's sounds (section 9): a beep for what counts, a buzz for what is set aside as unknown. And a falling alarm where
 * nothing was kept of a scan, a miss of two falling tones for a repeat that is ignored, a dull knock for an undo, and a call for what the administrator wants.
 */
export type SoundName = "beep" | "buzz" | "chime" | "fanfare" | "alarm" | "miss" | "knock" | "call";

/** `volume` is 0 to 1. */
interface AudioSettings {
  readonly enabled: boolean;
  readonly volume: number;
}

export const defaultAudioSettings: AudioSettings = { enabled: true, volume: 0.7 };

export function clampVolume(volume: number): number {
  return Number.isFinite(volume) ? Math.min(1, Math.max(0, volume)) : defaultAudioSettings.volume;
}

/** One tone: hertz, and seconds from the sound's start. */
interface Tone {
  readonly frequency: number;
  readonly from: number;
  readonly seconds: number;
  readonly shape: OscillatorType;
}

const tone = (frequency: number, from: number, seconds: number, shape: OscillatorType = "sine"): Tone => ({
  frequency,
  from,
  seconds,
  shape,
});

const tones: Record<SoundName, readonly Tone[]> = {
  beep: [tone(1760, 0, 0.09)],
  buzz: [tone(140, 0, 0.4, "sawtooth"), tone(147, 0, 0.4, "square")],
  chime: [tone(880, 0, 0.25), tone(587, 0.22, 0.4)],
  fanfare: [
    tone(523, 0, 0.16, "triangle"),
    tone(659, 0.15, 0.16, "triangle"),
    tone(784, 0.3, 0.16, "triangle"),
    tone(1047, 0.45, 0.55, "triangle"),
  ],
  alarm: [tone(1175, 0, 0.13, "square"), tone(831, 0.15, 0.13, "square"), tone(587, 0.3, 0.35, "square")],
  // High enough for a phone's small speaker.
  miss: [tone(740, 0, 0.07, "square"), tone(494, 0.09, 0.14, "square")],
  knock: [tone(220, 0, 0.05, "triangle"), tone(180, 0.08, 0.05, "triangle")],
  call: [0, 0.3, 0.6].flatMap((from) => [tone(988, from, 0.12), tone(1319, from + 0.12, 0.14)]),
};

interface Sounds {
  /** Opens the audio hardware, which takes far longer than a tone: call it with a key or a touch before the first scan. */
  prepare(): void;
  play(name: SoundName, settings: AudioSettings): void;
  close(): void;
}

function schedule(context: AudioContext, { frequency, from, seconds, shape }: Tone, volume: number): void {
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  const start = context.currentTime + from;
  oscillator.type = shape;
  oscillator.frequency.value = frequency;
  // Ramps instead of steps: a step would click.
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(volume, start + 0.008);
  gain.gain.setValueAtTime(volume, start + seconds * 0.7);
  gain.gain.linearRampToValueAtTime(0, start + seconds);
  oscillator.connect(gain);
  gain.connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + seconds);
}

/**
 * Sounds by Web Audio. The context is made when it is prepared or at the first sound, because browsers let it speak only
 * after a key or a touch. Without Web Audio there is silence; the banner shows the same.
 */
export function createSounds(): Sounds {
  let context: AudioContext | null = null;
  const open = () => {
    if (globalThis.AudioContext === undefined) return null;
    try {
      context ??= new AudioContext();
    } catch (error) {
      // No hardware is left for it: the scan must be shown all the same.
      globalThis.reportError(error);
    }
    return context;
  };
  return {
    prepare: () => void open(),
    play(name, { enabled, volume }) {
      const speaker = enabled ? open() : null;
      if (speaker === null) return;
      if (speaker.state === "suspended") speaker.resume().catch(globalThis.reportError);
      for (const each of tones[name]) schedule(speaker, each, clampVolume(volume) * 0.5);
    },
    close() {
      context?.close().catch(globalThis.reportError);
      context = null;
    },
  };
}

const vibrations: Record<SoundName, number[]> = {
  beep: [40],
  buzz: [200, 80, 200],
  chime: [80, 60, 80],
  fanfare: [60, 40, 60, 40, 200],
  alarm: [500, 100, 500],
  miss: [60, 50, 60, 50, 60],
  knock: [15],
  call: [120, 60, 120, 60, 120],
};

/** The same message for the hand, where the device can. */
function vibrate(name: SoundName): void {
  // Before the first key or touch the browser refuses, and complains: a page may open without a network and say so.
  if (globalThis.navigator.userActivation?.hasBeenActive === false) return;
  globalThis.navigator.vibrate?.(vibrations[name]);
}

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
