import { Button, Group, Text } from "@mantine/core";
import type { Certificate, CountingSession } from "@stocktake/contract";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Coverage } from "../../http/coverage.ts";
import { certificateText } from "../../ui/certificates/coverage-text.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { dateTimeText } from "../../ui/formats.ts";
import { Notice } from "../../ui/notice.tsx";
import { saveFile } from "../../ui/saving/save-file.ts";
import { Section } from "../../ui/section.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { SuccessMessage } from "../../ui/success-message.tsx";
import { QuietTable } from "../../ui/tables/quiet-table.tsx";
import { ShortHash } from "../../ui/tables/short-hash.tsx";
import { certificatesQuery, useIssue } from "./api.ts";
import { LoadedRows } from "./loaded-rows.tsx";
import { messages } from "./messages.ts";
import { VersionChanges } from "./version-changes.tsx";

const { certificate: texts } = messages;

function Versions({ sessionId }: { readonly sessionId: string }) {
  const query = useInfiniteQuery(certificatesQuery(sessionId));
  return (
    <LoadedRows query={query} rowsOf={(page) => page.certificates} quiet>
      {(versions, total) => {
        const save = ({ text, version }: Certificate) =>
          saveFile(new Blob([text], { type: "application/json" }), texts.file(sessionId, version));
        return (
          <ShowMore rowMessages={texts.rowMessages} shown={versions.length} total={total} query={query}>
            <QuietTable
              label={texts.versions}
              rows={versions}
              keyOf={({ version }) => String(version)}
              columns={[
                { header: texts.version, numeric: true, cell: ({ version }) => version },
                { header: texts.state, cell: ({ valid }) => (valid ? texts.isValid : texts.isOver) },
                { header: texts.changes, cell: (row) => <VersionChanges certificate={row} /> },
                { header: texts.hash, cell: ({ hash }) => <ShortHash hash={hash} /> },
                {
                  header: texts.when,
                  cell: ({ issuedAt, issuedBy }) =>
                    `${dateTimeText(issuedAt)}, ${issuedBy?.username ?? texts.server}`,
                },
                {
                  header: texts.save,
                  hiddenHeader: true,
                  cell: (row) => (
                    <Button
                      variant="default"
                      size="sm"
                      aria-label={texts.saveFor(row.version)}
                      onClick={() => save(row)}
                    >
                      {texts.save}
                    </Button>
                  ),
                },
              ]}
            />
          </ShowMore>
        );
      }}
    </LoadedRows>
  );
}

interface CertificateSectionProps {
  readonly session: CountingSession;
  readonly coverage: Coverage;
}

/** Whether there is a certificate that holds, the way to it, and its versions. */
export function CertificateSection({ session, coverage }: CertificateSectionProps) {
  const issue = useIssue(session._id);
  const [issued, setIssued] = useState<number | null>(null);
  const isValid = coverage.certificate?.valid === true;
  return (
    <Section title={texts.heading}>
      <SuccessMessage
        message={issued === null ? null : texts.issued(issued)}
        onClose={() => setIssued(null)}
      />
      <Notice kind={isValid ? "success" : coverage.open.length === 0 ? "info" : "warning"}>
        {certificateText(coverage)}
      </Notice>
      {session.status === "closed" ? null : <Text fz="sm">{texts.afterEnd}</Text>}
      {coverage.canIssue ? (
        <Group>
          <Button
            disabled={issue.isPending}
            onClick={() => issue.send(undefined, ({ certificate }) => setIssued(certificate.version))}
          >
            {issue.isPending ? texts.issuing : texts.issue}
          </Button>
        </Group>
      ) : null}
      <ErrorBox error={issue.error} fallback={texts.issueFailed} />
      {coverage.certificate === null ? null : <Versions sessionId={session._id} />}
    </Section>
  );
}
