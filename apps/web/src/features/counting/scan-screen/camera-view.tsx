import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useCamera } from "../../../scanner/use-camera.ts";
import { Notice } from "../../../ui/notice.tsx";
import { cameraProblems, messages } from "../messages.ts";
import classes from "./camera-view.module.css";

interface CameraViewProps {
  readonly onCode: (code: string) => void;
}

function TorchButton({ setTorch }: { setTorch: (on: boolean) => Promise<void> }) {
  const [isOn, setOn] = useState(false);
  const turn = () => setTorch(!isOn).then(() => setOn(!isOn), globalThis.reportError);
  return (
    <Button
      className={classes.light ?? ""}
      variant="default"
      size="lg"
      aria-pressed={isOn}
      onClick={() => void turn()}
    >
      {isOn ? "Light Off" : "Light On"}
    </Button>
  );
}

/** The camera as a scanner: what comes into view is scanned, by the same rules as what is typed. */
export default function CameraView({ onCode }: CameraViewProps) {
  const { videoRef, state } = useCamera(onCode);
  const pictureRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    pictureRef.current?.scrollIntoView({ block: "center" });
  }, []);
  const problem = state.kind === "problem" ? cameraProblems[state.problem] : null;
  return (
    <section className={classes.view} aria-label="Camera">
      {problem === null ? null : (
        <Notice kind="error" title={problem.title} role="alert">
          {problem.advice}
        </Notice>
      )}
      <div ref={pictureRef} className={classes.picture} hidden={problem !== null}>
        <video ref={videoRef} className={classes.video} muted playsInline aria-label="Camera picture" />
        <div className={classes.aim} aria-hidden="true" />
        {state.kind === "scanning" && state.setTorch !== null ? (
          <TorchButton setTorch={state.setTorch} />
        ) : null}
      </div>
      {state.kind === "starting" ? <div role="status">{messages.cameraStarts}</div> : null}
    </section>
  );
}
