import { Button, NativeSelect, TextInput } from "@mantine/core";
import { AuditAction, type CountingSession, lengthProblem, limits } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { sessionsQuery } from "../../http/shared-queries.ts";
import { dateTimeText } from "../../ui/formats.ts";
import { countName } from "../../ui/search/session-text.ts";
import classes from "./audit.module.css";
import { type AuditFilter, isEmpty } from "./filter.ts";
import { messages } from "./messages.ts";

interface FieldProps {
  readonly filter: AuditFilter;
  readonly onChange: (filter: AuditFilter) => void;
}

function sessionOption({ _id, storeId, startedAt, name }: CountingSession) {
  return {
    value: _id,
    label: `${countName(storeId.name.trim() || messages.unknownStore, name)}, ${dateTimeText(startedAt)}`,
  };
}

function SessionField({ filter, onChange }: FieldProps) {
  const { data: sessions = [] } = useQuery(sessionsQuery);
  const options = sessions.map(sessionOption);
  // A link may name a session before the list of sessions has come.
  const named = filter.session === "" || options.some(({ value }) => value === filter.session);
  return (
    <NativeSelect
      label={messages.session}
      value={filter.session}
      data={[
        { value: "", label: messages.allSessions },
        ...(named ? [] : [{ value: filter.session, label: filter.session }]),
        ...options,
      ]}
      onChange={(event) => onChange({ ...filter, session: event.currentTarget.value })}
    />
  );
}

function ActionField({ filter, onChange }: FieldProps) {
  return (
    <NativeSelect
      label={messages.action}
      value={filter.action}
      data={[
        { value: "", label: messages.allActions },
        ...AuditAction.options.map((action) => ({ value: action, label: messages.actions[action] })),
      ]}
      onChange={(event) => onChange({ ...filter, action: event.currentTarget.value })}
    />
  );
}

/** The name is looked for once it is typed: on Enter, or when the field is left. */
function ActorField({ filter, onChange }: FieldProps) {
  const [typed, setTyped] = useState(filter.actor);
  const problem = lengthProblem(messages.actor, typed.trim(), limits.name);
  const search = () => {
    if (problem === null && typed.trim() !== filter.actor) onChange({ ...filter, actor: typed.trim() });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
      <TextInput
        type="search"
        label={messages.actor}
        placeholder={messages.actorHint}
        error={problem}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={search}
      />
    </form>
  );
}

function DayField({ filter, onChange, side }: FieldProps & { readonly side: "from" | "to" }) {
  return (
    <TextInput
      type="date"
      label={messages[side]}
      value={filter[side]}
      onChange={(event) => onChange({ ...filter, [side]: event.currentTarget.value })}
    />
  );
}

const everything: AuditFilter = { session: "", action: "", actor: "", from: "", to: "" };

export function AuditFilters({ filter, onChange }: FieldProps) {
  const field = { filter, onChange };
  return (
    <div className={classes.filters}>
      <SessionField {...field} />
      <ActionField {...field} />
      {/* Made anew when the filter is cleared or the back button changes it: what was typed is dropped then. */}
      <ActorField key={filter.actor} {...field} />
      <DayField {...field} side="from" />
      <DayField {...field} side="to" />
      <Button variant="default" disabled={isEmpty(filter)} onClick={() => onChange(everything)}>
        {messages.clear}
      </Button>
    </div>
  );
}
