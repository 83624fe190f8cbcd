import { type RefObject, useEffect, useRef, useState } from "react";
import { createDecoder, type Decoder } from "./decoder.ts";
import { cleanCode } from "./keystrokes.ts";
import { createRepeatFilter } from "./repeat-filter.ts";

/** Why the camera does not scan; each has words of its own on the screen. */
export type CameraProblem = "insecure" | "forbidden" | "missing" | "busy" | "failed";

const problems: Partial<Record<string, CameraProblem>> = {
  NotAllowedError: "forbidden",
  SecurityError: "forbidden",
  NotFoundError: "missing",
  OverconstrainedError: "missing",
  NotReadableError: "busy",
  AbortError: "busy",
};

/** What getUserMedia's refusal means (W3C Media Capture and Streams, 10.2). */
export function problemOf(error: unknown): CameraProblem {
  return (error instanceof Error ? problems[error.name] : undefined) ?? "failed";
}

/** A camera that is on. */
interface Camera {
  readonly stream: MediaStream;
  /** Null where the camera has no light of its own. */
  readonly setTorch: ((on: boolean) => Promise<void>) | null;
  stop(): void;
}

/** The light of the camera (W3C MediaStream Image Capture), which TypeScript's library lacks. */
type TorchConstraint = MediaTrackConstraintSet & { readonly torch: boolean };

function torchOf(track: MediaStreamTrack | undefined): Camera["setTorch"] {
  const capabilities = track?.getCapabilities?.() ?? {};
  if (track === undefined || !("torch" in capabilities) || capabilities.torch !== true) return null;
  return (on) => {
    const torch: TorchConstraint = { torch: on };
    return track.applyConstraints({ advanced: [torch] });
  };
}

/** True where the browser lets this page ask for a camera at all: only over https. */
function mayAskForCamera(): boolean {
  return globalThis.isSecureContext && globalThis.navigator.mediaDevices !== undefined;
}

/** Turns on the camera on the back of the phone, or whichever there is. Rejects as getUserMedia does. */
export async function openCamera(devices: Pick<MediaDevices, "getUserMedia">): Promise<Camera> {
  const stream = await devices.getUserMedia({
    audio: false,
    video: { facingMode: { ideal: "environment" }, width: { ideal: 1280 }, height: { ideal: 720 } },
  });
  return {
    stream,
    setTorch: torchOf(stream.getVideoTracks()[0]),
    stop() {
      for (const track of stream.getTracks()) track.stop();
    },
  };
}

export type CameraState =
  | { readonly kind: "starting" }
  | { readonly kind: "scanning"; readonly setTorch: Camera["setTorch"] }
  | { readonly kind: "problem"; readonly problem: CameraProblem };

// Often enough to feel immediate, seldom enough to leave a phone's battery alone.
const readEveryMs = 120;

/** Reads frame after frame until the returned function is called. A read that fails (the picture not there yet) is repeated. */
function watch(video: HTMLVideoElement, decoder: Decoder, onCode: (code: string) => void): () => void {
  const repeats = createRepeatFilter();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isOver = false;
  const read = async () => {
    const codes = video.readyState >= video.HAVE_CURRENT_DATA ? await decoder.read(video) : [];
    if (isOver) return;
    for (const code of repeats.filter(codes.map(cleanCode), performance.now())) if (code !== "") onCode(code);
  };
  const readAgain = () => {
    if (!isOver)
      timer = setTimeout(() => void read().catch(globalThis.reportError).then(readAgain), readEveryMs);
  };
  readAgain();
  return () => {
    isOver = true;
    if (timer !== null) clearTimeout(timer);
  };
}

/** Whatever fails, the camera does not stay on. */
async function start(
  video: HTMLVideoElement,
  loadDecoder: () => Promise<Decoder>,
  onCode: (code: string) => void,
  signal: AbortSignal,
): Promise<Camera["setTorch"]> {
  const opening = openCamera(navigator.mediaDevices);
  let stopWatching = () => {};
  const end = () => {
    stopWatching();
    opening.then(
      (camera) => camera.stop(),
      () => undefined,
    );
    video.srcObject = null;
  };
  signal.addEventListener("abort", end);
  try {
    const [camera, decoder] = await Promise.all([opening, loadDecoder()]);
    if (signal.aborted) return null;
    video.srcObject = camera.stream;
    stopWatching = watch(video, decoder, onCode);
    await video.play();
    return camera.setTorch;
  } catch (error) {
    end();
    throw error;
  }
}

/** Scans with the camera while mounted: shows its picture in the video, and passes on each code that comes into view. */
export function useCamera(
  onCode: (code: string) => void,
  loadDecoder: () => Promise<Decoder> = createDecoder,
): {
  readonly videoRef: RefObject<HTMLVideoElement | null>;
  readonly state: CameraState;
} {
  const videoRef = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<CameraState>(
    mayAskForCamera() ? { kind: "starting" } : { kind: "problem", problem: "insecure" },
  );
  // The code goes to the current listener: a new one must not turn the camera off and on.
  const listener = useRef(onCode);
  listener.current = onCode;
  useEffect(() => {
    const video = videoRef.current;
    if (video === null || !mayAskForCamera()) return;
    const ending = new AbortController();
    start(video, loadDecoder, (code) => listener.current(code), ending.signal).then(
      (setTorch) => {
        if (!ending.signal.aborted) setState({ kind: "scanning", setTorch });
      },
      (error: unknown) => {
        if (ending.signal.aborted) return;
        const problem = problemOf(error);
        if (problem === "failed") globalThis.reportError(error);
        setState({ kind: "problem", problem });
      },
    );
    return () => ending.abort();
  }, [loadDecoder]);
  return { videoRef, state };
}
