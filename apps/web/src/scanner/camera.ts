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
export interface Camera {
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
export function mayAskForCamera(): boolean {
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
