import { Button, Stack, Text } from "@mantine/core";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { saveFile } from "../../../ui/saving/save-file.ts";
import { messages } from "../messages.ts";
import classes from "./second-factor.module.css";

const { codesDialog: labels } = messages.security;

interface RecoveryCodesDialogProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** Shows recovery codes, this once: nothing but the word that they are kept closes it. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const save = () => saveFile(new Blob([`${codes.join("\n")}\n`], { type: "text/plain" }), labels.file);
  return (
    <Dialog title={labels.title} onClose={null}>
      <Stack gap="sm">
        <Text>{labels.text}</Text>
        <ul className={classes.codes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <DialogActions>
          <Button variant="default" onClick={save} data-resting>
            {labels.save}
          </Button>
          <Button onClick={onClose}>{labels.done}</Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}
