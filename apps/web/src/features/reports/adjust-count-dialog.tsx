import { Button, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { limits, type ReportItem } from "@stocktake/contract";
import { type FormEvent, useState } from "react";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { quantityText } from "../../ui/formats.ts";
import { useAdjustCount } from "./api.ts";
import { CountHistory } from "./count-history.tsx";
import { problemOfCount, readCount } from "./read-count.ts";
import classes from "./reports.module.css";
import { adjustTexts, texts } from "./texts.ts";
import { ProductImage } from "./thumbnail.tsx";

interface AdjustCountDialogProps {
  readonly sessionId: string;
  readonly item: ReportItem;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

function ItemFacts({ item }: { item: ReportItem }) {
  return (
    <div className={classes.product}>
      <ProductImage image={item.image} large />
      <div className={classes.what}>
        <Text fw={620}>{item.productTitle.trim() || texts.unknownProduct}</Text>
        <Text c="dimmed" fz="sm">
          {item.sku}
          {item.size === null || item.size === "" ? "" : ` · ${item.size}`}
        </Text>
        <Text mt="xs">
          {adjustTexts.current}: <strong className="tabular">{quantityText(item.counted)}</strong>
        </Text>
      </div>
    </div>
  );
}

function FoundIn({ areas }: { areas: readonly string[] }) {
  return (
    <div>
      <Text fz="sm" c="dimmed" mb={4}>
        {areas.length === 0 ? adjustTexts.foundNowhere : adjustTexts.foundIn}
      </Text>
      <ul className={classes.chips}>
        {areas.map((area) => (
          <li key={area}>{area}</li>
        ))}
      </ul>
    </div>
  );
}

function useAdjustForm({ sessionId, item, onDone, onClose }: AdjustCountDialogProps) {
  const [entry, setEntry] = useState(String(item.counted));
  const [reason, setReason] = useState("");
  const change = useAdjustCount(sessionId);
  const newCount = readCount(entry);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (newCount === null || change.isPending) return;
    change.send({ sku: item.sku, newCount, reason }, (answer) => {
      onDone(texts.adjusted(item.sku, answer.previousCount, answer.newCount));
      onClose();
    });
  };
  return { entry, setEntry, reason, setReason, change, newCount, submit };
}

/** Sets a SKU's count by hand. */
export function AdjustCountDialog(props: AdjustCountDialogProps) {
  const form = useAdjustForm(props);
  return (
    <Dialog title={adjustTexts.title} onClose={props.onClose}>
      <form onSubmit={form.submit} noValidate>
        <Stack gap="sm">
          <ItemFacts item={props.item} />
          <ErrorBox error={form.change.error} fallback={texts.adjustFailed} />
          <TextInput
            label={adjustTexts.newCount}
            type="number"
            inputMode="numeric"
            min={0}
            max={limits.quantity}
            step={1}
            value={form.entry}
            error={problemOfCount(form.entry)}
            data-autofocus
            onChange={(event) => form.setEntry(event.currentTarget.value)}
          />
          <Textarea
            label={adjustTexts.reason}
            rows={3}
            maxLength={limits.reason}
            value={form.reason}
            onChange={(event) => form.setReason(event.currentTarget.value)}
          />
          <FoundIn areas={props.item.areas} />
          <CountHistory sessionId={props.sessionId} sku={props.item.sku} />
          <DialogActions>
            <Button variant="default" onClick={props.onClose}>
              {adjustTexts.cancel}
            </Button>
            <Button type="submit" disabled={form.newCount === null || form.change.isPending}>
              {form.change.isPending ? adjustTexts.saving : adjustTexts.save}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}
