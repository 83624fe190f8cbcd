import { Button, FileButton, Group, Text } from "@mantine/core";
import { useRef, useState } from "react";
import { ErrorMessage } from "../../../ui/error-box.tsx";
import { decodeFile } from "../../../ui/files/decode-file.ts";
import { saveFile } from "../../../ui/saving/save-file.ts";
import { Section } from "../../../ui/section.tsx";
import { type CountFile, readCountFile } from "./count-file.ts";
import { FileSteps } from "./file-steps.tsx";
import { exampleFile, messages } from "./messages.ts";

interface Chosen {
  /** One file chosen twice is two choices. */
  readonly number: number;
  readonly name: string;
  readonly file: CountFile;
}

/** Reads a chosen file; the problem, a sentence, where it is none of counts. */
async function readChosen(file: File): Promise<CountFile | string> {
  try {
    const read = readCountFile(decodeFile(await file.arrayBuffer()));
    return "problem" in read ? read.problem : read;
  } catch {
    return messages.unreadable;
  }
}

/** An administrator's way to bring in counts that were made elsewhere. */
export function LoadCounts({ sessionId }: { sessionId: string }) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const resetInput = useRef<() => void>(null);
  const open = async (picked: File | null) => {
    // A browser fires no event for a file that is chosen again, unless the input is reset.
    resetInput.current?.();
    if (picked === null) return;
    const read = await readChosen(picked);
    setProblem(typeof read === "string" ? read : null);
    setChosen((before) =>
      typeof read === "string" ? null : { number: (before?.number ?? 0) + 1, name: picked.name, file: read },
    );
  };
  const saveExample = () => saveFile(new Blob([exampleFile.text], { type: "text/csv" }), exampleFile.name);
  return (
    <Section title={messages.heading}>
      <Text maw="48rem">{messages.intro}</Text>
      <Text maw="48rem" fz="sm" c="dimmed">
        {messages.format}
      </Text>
      <Group gap="xs">
        <FileButton
          accept=".csv,.txt,text/csv,text/plain"
          resetRef={resetInput}
          inputProps={{ "aria-label": messages.choose }}
          onChange={(file) => void open(file)}
        >
          {(props) => (
            <Button variant={chosen === null ? "filled" : "default"} {...props}>
              {messages.choose}
            </Button>
          )}
        </FileButton>
        <Button variant="default" onClick={saveExample}>
          {messages.example}
        </Button>
      </Group>
      {problem === null ? null : <ErrorMessage message={problem} />}
      {chosen === null ? null : (
        <FileSteps
          key={chosen.number}
          sessionId={sessionId}
          name={chosen.name}
          file={chosen.file}
          onClose={() => setChosen(null)}
        />
      )}
    </Section>
  );
}
