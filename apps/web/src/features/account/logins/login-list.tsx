import { Button, Group, Stack, Text } from "@mantine/core";
import { endOtherLogins, endOwnLogin, type Login, listLogins } from "@stocktake/contract";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "../../../http/call.ts";
import { queryRoots } from "../../../http/query-roots.ts";
import { useChange } from "../../../http/use-change.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Loaded } from "../../../ui/drawing/loaded.tsx";
import { dateTimeText } from "../../../ui/formats.ts";
import { StatusBadge } from "../../../ui/status-badge.tsx";
import { SuccessMessage } from "../../../ui/success-message.tsx";
import { QuietTable } from "../../../ui/tables/quiet-table.tsx";
import { messages } from "../messages.ts";

const { logins: labels } = messages;
const staleRoots = [queryRoots.logins];

const loginsQuery = queryOptions({
  queryKey: [queryRoots.logins],
  queryFn: ({ signal }) => callApi(listLogins, { signal }),
  select: (answer) => answer.logins,
});

function useEndLogin() {
  return useChange((id: string) => callApi(endOwnLogin, { params: { id } }), staleRoots);
}

function useEndOtherLogins() {
  return useChange((_: undefined) => callApi(endOtherLogins), staleRoots);
}

function nameOf({ browser }: Login): string {
  return browser ?? labels.unknownBrowser;
}

interface OutcomeProps {
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

function EndLoginDialog({ login, onDone, onClose }: OutcomeProps & { readonly login: Login }) {
  const ending = useEndLogin();
  const succeed = () => {
    onDone(labels.ended(nameOf(login)));
    onClose();
  };
  return (
    <ConfirmDialog
      title={labels.endDialog.title}
      message={labels.endDialog.question(nameOf(login))}
      consequences={[labels.consequence]}
      confirmLabel={labels.end}
      change={ending}
      errorFallback={labels.endFailed}
      onConfirm={() => ending.send(login._id, succeed)}
      onCancel={onClose}
    />
  );
}

function EndOthersDialog({ onDone, onClose }: OutcomeProps) {
  const ending = useEndOtherLogins();
  return (
    <ConfirmDialog
      title={labels.othersDialog.title}
      message={labels.othersDialog.question}
      consequences={[labels.consequence]}
      confirmLabel={labels.endOthers}
      change={ending}
      errorFallback={labels.endFailed}
      onConfirm={() =>
        ending.send(undefined, ({ ended }) => {
          onDone(labels.othersEnded(ended));
          onClose();
        })
      }
      onCancel={onClose}
    />
  );
}

interface LoginTableProps {
  readonly logins: readonly Login[];
  readonly onEnd: (login: Login) => void;
}

function EndButton({ login, onEnd }: { readonly login: Login; readonly onEnd: (login: Login) => void }) {
  if (login.isThisOne) return <StatusBadge tone="neutral">{labels.thisOne}</StatusBadge>;
  return (
    <Button
      variant="subtle"
      color="red"
      size="sm"
      onClick={() => onEnd(login)}
      aria-label={`${labels.end} ${nameOf(login)}, ${dateTimeText(login.signedInAt)}`}
    >
      {labels.end}
    </Button>
  );
}

function LoginTable({ logins, onEnd }: LoginTableProps) {
  return (
    <QuietTable
      label={labels.heading}
      rows={logins}
      keyOf={(login) => login._id}
      columns={[
        { header: labels.browser, cell: nameOf },
        { header: labels.signedIn, cell: (login) => dateTimeText(login.signedInAt) },
        { header: labels.lastSeen, cell: (login) => dateTimeText(login.lastSeenAt) },
        {
          header: labels.end,
          hiddenHeader: true,
          cell: (login) => <EndButton login={login} onEnd={onEnd} />,
        },
      ]}
    />
  );
}

function Dialogs({ open, ...outcome }: OutcomeProps & { readonly open: Login | "others" | null }) {
  if (open === null) return null;
  if (open === "others") return <EndOthersDialog {...outcome} />;
  return <EndLoginDialog login={open} {...outcome} />;
}

/** Every browser that is signed in as the person who looks, each to be ended. */
export function LoginList() {
  const query = useQuery(loginsQuery);
  const [open, setOpen] = useState<Login | "others" | null>(null);
  const [done, setDone] = useState<string | null>(null);
  return (
    <Loaded query={query} fallback={labels.fetchFailed}>
      {(logins) => (
        <Stack gap="sm">
          <SuccessMessage floats message={done} onClose={() => setDone(null)} />
          <Text c="dimmed">{labels.intro}</Text>
          <LoginTable logins={logins} onEnd={setOpen} />
          {logins.length === 1 ? (
            <Text fz="sm">{labels.alone}</Text>
          ) : (
            <Group>
              <Button variant="default" onClick={() => setOpen("others")}>
                {labels.endOthers}
              </Button>
            </Group>
          )}
          <Text c="dimmed" fz="sm">
            {labels.strange}
          </Text>
          <Dialogs open={open} onDone={setDone} onClose={() => setOpen(null)} />
        </Stack>
      )}
    </Loaded>
  );
}
