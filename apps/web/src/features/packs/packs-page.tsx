import { Stack } from "@mantine/core";
import { type KeptPack, listPacks, type Pack, savePacks } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { callAllPages, callApi } from "../../http/call.ts";
import { queryRoots } from "../../http/query-roots.ts";
import { useChange } from "../../http/use-change.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Section } from "../../ui/section.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { help } from "./help.ts";
import { messages } from "./messages.ts";
import { PackForm } from "./pack-form.tsx";
import { PackList } from "./pack-list.tsx";

function useSavePacks() {
  return useChange(
    (packs: readonly Pack[]) => callApi(savePacks, { body: { packs: [...packs] } }),
    [queryRoots.packs],
  );
}

interface RemovalProps {
  readonly pack: KeptPack;
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

function RemovalDialog({ pack, onDone, onClose }: RemovalProps) {
  const removal = useSavePacks();
  const remove = () =>
    removal.send([{ code: pack.code, sku: pack.sku, units: 0 }], ({ removed }) => {
      onDone(messages.saved(0, 0, removed));
      onClose();
    });
  return (
    <ConfirmDialog
      title={messages.removeTitle}
      message={messages.removeQuestion(pack.code)}
      confirmLabel={messages.remove}
      change={removal}
      errorFallback={messages.saveFailed}
      onConfirm={remove}
      onCancel={onClose}
    />
  );
}

/** The codes of packs that one scan counts whole (/admin/packs). */
export function PacksPage() {
  const [parameters] = useSearchParams();
  const packs = useQuery({
    queryKey: [queryRoots.packs],
    queryFn: ({ signal }) => callAllPages(listPacks, { query: {}, signal }),
    select: (answer) => answer.packs,
  });
  const change = useSavePacks();
  const [message, setMessage] = useState<string | null>(null);
  const [removed, setRemoved] = useState<KeptPack | null>(null);
  const sku = parameters.get("sku");
  const save = (lines: readonly Pack[], onDone: () => void) =>
    change.send(lines, (saved) => {
      const text = messages.saved(saved.added, saved.changed, saved.removed);
      setMessage(text === "" ? messages.nothingChanged : `${text}. ${messages.phones}`);
      onDone();
    });
  return (
    <Stack gap="md">
      <SuccessMessage floats message={message} onClose={() => setMessage(null)} />
      <PageHeader title={messages.title} subtitle={messages.subtitle} help={help} />
      <Section title={messages.addHeading}>
        <PackForm initial={sku === null ? "" : `,${sku},`} change={change} onSave={save} />
      </Section>
      <Section title={messages.listHeading}>
        <ErrorBox error={packs.error} fallback={messages.fetchFailed} onRetry={packs.refetch} />
        {packs.isPending ? <LoadingState /> : null}
        {packs.data === undefined ? null : <PackList packs={packs.data} onRemove={setRemoved} />}
      </Section>
      {removed === null ? null : (
        <RemovalDialog pack={removed} onDone={setMessage} onClose={() => setRemoved(null)} />
      )}
    </Stack>
  );
}
