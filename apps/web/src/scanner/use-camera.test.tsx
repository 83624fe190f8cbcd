import { renderHook, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { useCamera } from "./use-camera.ts";

// The decoder is another's compiled code in a file that only a browser loads.
const decoder = { load: async (): Promise<void> => {} };
const loadDecoder = async () => {
  await decoder.load();
  return { read: async () => [] };
};

const stop = vi.fn();

beforeEach(() => {
  const track = { getCapabilities: () => ({}), stop };
  const stream = { getVideoTracks: () => [track], getTracks: () => [track] };
  stop.mockClear();
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("reportError", vi.fn());
  vi.stubGlobal("navigator", { mediaDevices: { getUserMedia: async () => stream } });
});

function openCameraView(play: () => Promise<void>) {
  const video = Object.assign(document.createElement("video"), { play });
  Object.defineProperty(video, "srcObject", { value: null, writable: true });
  return renderHook(() => {
    const camera = useCamera(() => {}, loadDecoder);
    const { videoRef } = camera;
    videoRef.current ??= video;
    return camera;
  });
}

it("a camera whose picture cannot be read is turned off again", async () => {
  decoder.load = () => Promise.reject(new Error("The decoder could not be loaded."));
  const { result } = openCameraView(async () => {});
  await waitFor(() => expect(result.current.state).toEqual({ kind: "problem", problem: "failed" }));
  await waitFor(() => expect(stop).toHaveBeenCalled());
});

it("a camera whose picture the browser does not play is turned off again", async () => {
  decoder.load = async () => {};
  const refusal = Object.assign(new Error("Not without a touch."), { name: "NotAllowedError" });
  const { result } = openCameraView(() => Promise.reject(refusal));
  await waitFor(() => expect(result.current.state).toEqual({ kind: "problem", problem: "forbidden" }));
  await waitFor(() => expect(stop).toHaveBeenCalled());
});

it("a camera is on until the view is gone", async () => {
  decoder.load = async () => {};
  const { result, unmount } = openCameraView(async () => {});
  await waitFor(() => expect(result.current.state.kind).toBe("scanning"));
  expect(stop).not.toHaveBeenCalled();
  unmount();
  await waitFor(() => expect(stop).toHaveBeenCalled());
});
