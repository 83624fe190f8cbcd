import { Button, Group, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import * as z from "zod/mini";
import { sheetsPath, sheetsQuery } from "../../../http/sheets.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { Section } from "../../../ui/section.tsx";
import { SessionPage } from "../../../ui/session-page.tsx";
import { SuccessMessage } from "../../../ui/success-message.tsx";
import { help } from "./help.ts";
import { messages } from "./messages.ts";
import { PrintForm } from "./print-form.tsx";
import { SheetList } from "./sheet-list.tsx";

const { open: texts } = messages;

/** What the page where a sheet was keyed says to this one. */
const SavedState = z.object({ saved: z.string() });

/** Opens a sheet by the number that is on it. */
function OpenSheet({ sessionId }: { sessionId: string }) {
  const { data } = useQuery(sheetsQuery(sessionId));
  const navigate = useNavigate();
  const isKnown = (typed: string) =>
    typed !== "" && (data === undefined || data.some(({ number }) => number === Number(typed)));
  const form = useForm({
    initialValues: { number: "" },
    validate: { number: (typed) => (isKnown(typed.trim()) ? null : texts.unknown(typed.trim())) },
  });
  const submit = form.onSubmit(({ number }) => void navigate(`${sheetsPath(sessionId)}/${Number(number)}`));
  return (
    <form onSubmit={submit} noValidate>
      <Group align="flex-end" gap="xs">
        <TextInput
          label={texts.number}
          description={texts.note}
          inputMode="numeric"
          autoComplete="off"
          autoFocus
          {...form.getInputProps("number")}
        />
        <Button type="submit">{texts.go}</Button>
      </Group>
    </form>
  );
}

function SavedMessage() {
  const { state } = useLocation();
  const [message, setMessage] = useState(() => SavedState.safeParse(state).data?.saved ?? null);
  return <SuccessMessage floats message={message} onClose={() => setMessage(null)} />;
}

function Sheets({ sessionId, hasEnded }: { sessionId: string; hasEnded: boolean }) {
  const { data, error, refetch } = useQuery(sheetsQuery(sessionId));
  return (
    <>
      <SavedMessage />
      {hasEnded ? (
        <EmptyState title={messages.over}>{messages.overText}</EmptyState>
      ) : (
        <>
          {(data ?? []).length === 0 ? null : (
            <Section title={texts.heading}>
              <OpenSheet sessionId={sessionId} />
            </Section>
          )}
          <PrintForm sessionId={sessionId} />
        </>
      )}
      <ErrorBox error={error} fallback={messages.failed} onRetry={refetch} />
      {data === undefined ? null : <SheetList sessionId={sessionId} sheets={data} hasEnded={hasEnded} />}
    </>
  );
}

/** The count sheets of a session: printing them, and the way to key each (/admin/sessions/:sessionId/sheets). */
export function SheetsPage() {
  return (
    <SessionPage
      title={messages.title}
      subtitle={messages.subtitle}
      back={() => ({ to: "/admin/sessions", label: messages.back })}
      failed={messages.failed}
      missing={{ title: messages.missing, text: messages.missingText }}
      help={help}
    >
      {({ _id, status }) => <Sheets sessionId={_id} hasEnded={status === "closed"} />}
    </SessionPage>
  );
}
