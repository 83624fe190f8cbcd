import { Button } from "@mantine/core";
import type { CountingSession } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { ApiError } from "../../../http/errors.ts";
import { shopifyLocationsQuery, storesQuery } from "../../../http/shared-queries.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import type { PendingChange } from "../../../ui/dialog.tsx";
import { messages } from "../messages.ts";
import { locationGone as texts } from "./messages.ts";

/** Whether an end may have been refused because the session's Shopify location is gone. */
export function mayBeLocationGone(error: Error | null): boolean {
  return error instanceof ApiError && error.code === "PLATFORM_ERROR";
}

function useIsLocationGone({ storeId }: CountingSession): boolean {
  const { data: stores } = useQuery(storesQuery);
  // Asked anew: until somebody changed it, the location was there.
  const { data: locations } = useQuery({ ...shopifyLocationsQuery, staleTime: 0 });
  const store = stores?.find(({ _id }) => _id === storeId._id);
  if (store === undefined || locations === undefined) return false;
  return !locations.some(({ id }) => id === store.shopifyLocationId);
}

interface WithoutStockButtonProps {
  readonly session: CountingSession;
  readonly onAsk: () => void;
}

/** Leads to the end without stock where Shopify no longer has the location. To be shown once an ordinary end was refused. */
export function WithoutStockButton({ session, onAsk }: WithoutStockButtonProps) {
  if (!useIsLocationGone(session)) return null;
  return (
    <Button variant="default" onClick={onAsk}>
      {texts.ask}
    </Button>
  );
}

interface WithoutStockDialogProps {
  readonly ending: PendingChange;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks once more before a session is ended without stock, and says what comes of that. */
export function WithoutStockDialog({ ending, onConfirm, onCancel }: WithoutStockDialogProps) {
  return (
    <ConfirmDialog
      title={texts.title}
      message={texts.question}
      consequences={texts.consequences}
      confirmLabel={texts.confirm}
      busyLabel={messages.ending}
      change={ending}
      errorFallback={messages.endFailed}
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  );
}
