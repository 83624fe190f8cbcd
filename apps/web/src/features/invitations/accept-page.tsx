import { Button, Group, List, Stack, Text, Title } from "@mantine/core";
import { type InvitationForAcceptance, readInvitation } from "@stocktake/contract";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "react-router";
import { callApi } from "../../http/call.ts";
import { isGone } from "../../http/errors.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { dateTimeText } from "../../ui/formats.ts";
import { LoadingState } from "../../ui/loading-state.tsx";
import { PublicCard } from "../../ui/public-card.tsx";
import classes from "./accept-page.module.css";
import { messages } from "./messages.ts";
import { useAcceptInvitation } from "./use-accept-invitation.ts";

function invitationQuery(token: string) {
  return queryOptions({
    queryKey: ["invitation", token],
    queryFn: ({ signal }) => callApi(readInvitation, { params: { token }, signal }),
    select: (answer) => answer.invitation,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function InvalidInvitation({ error }: { error: unknown }) {
  return (
    <PublicCard>
      <Title order={1} fz="1.5rem" tabIndex={-1}>
        {messages.invalid}
      </Title>
      <ErrorBox error={error} fallback={messages.validateFailed} />
      <Group gap="xs">
        <Button onClick={() => window.location.reload()}>{messages.tryAgain}</Button>
        <Button variant="default" component={Link} to="/login">
          {messages.toLogin}
        </Button>
      </Group>
    </PublicCard>
  );
}

function InvitationFacts({ invitation }: { invitation: InvitationForAcceptance }) {
  return (
    <dl className={classes.facts}>
      <dt>Store</dt>
      <dd>{invitation.store.name}</dd>
      <dt>Access</dt>
      <dd>{messages.access}</dd>
      <dt>Email</dt>
      <dd>{invitation.email}</dd>
      <dt>Session started</dt>
      <dd>{dateTimeText(invitation.session.startedAt)}</dd>
    </dl>
  );
}

function NextSteps() {
  return (
    <div>
      <Title order={2} fz="1rem" mb={4}>
        {messages.nextHeading}
      </Title>
      <List type="ordered" spacing={4}>
        {messages.nextSteps.map((step) => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
    </div>
  );
}

function ValidInvitation({ invitation, token }: { invitation: InvitationForAcceptance; token: string }) {
  const acceptance = useAcceptInvitation(token);
  const navigate = useNavigate();
  const busy = acceptance.isPending || acceptance.isSuccess;
  const accept = () => acceptance.send(undefined, () => void navigate("/counter", { replace: true }));
  return (
    <PublicCard>
      <div>
        <Title order={1} fz="1.5rem" tabIndex={-1}>
          {messages.heading}
        </Title>
        <Text fz="lg">{messages.welcome(invitation.counterName)}</Text>
      </div>
      <InvitationFacts invitation={invitation} />
      {/* Before what happens next: on a small phone that would push it out of sight. */}
      <Stack gap="xs">
        <Button size="lg" disabled={busy} onClick={accept}>
          {busy ? messages.joining : messages.start}
        </Button>
        <ErrorBox error={acceptance.error} fallback={messages.acceptFailed} />
      </Stack>
      <NextSteps />
      <Text c="dimmed" fz="sm">
        {messages.temporary}
      </Text>
    </PublicCard>
  );
}

/** What an invited person sees first: validating, then invalid or valid, then accepting. */
export function AcceptInvitationPage() {
  const { token = "" } = useParams();
  const { data, error } = useQuery(invitationQuery(token));
  // One that was read holds until the server says otherwise, also where it can't be read again for a while.
  if (data !== undefined && !isGone(error)) return <ValidInvitation invitation={data} token={token} />;
  if (error !== null) return <InvalidInvitation error={error} />;
  return (
    <PublicCard>
      <Title order={1} fz="1.5rem" tabIndex={-1}>
        {messages.validating}
      </Title>
      <LoadingState />
    </PublicCard>
  );
}
