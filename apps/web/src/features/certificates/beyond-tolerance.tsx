import { Button, Group } from "@mantine/core";
import { type BeyondTolerance, type CountingSession, stateBeyondTolerance } from "@stocktake/contract";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorBox } from "../../ui/error-box.tsx";
import { countText, dateTimeText, partsText, quantityText, signedText } from "../../ui/formats.ts";
import { Section } from "../../ui/section.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { QuietTable } from "../../ui/tables/quiet-table.tsx";
import { beyondQuery, isOfEarlierServer, useStateBeyond } from "./api.ts";
import { LoadedRows } from "./loaded-rows.tsx";
import { messages } from "./messages.ts";
import { ReasonDialog } from "./reason-dialog.tsx";

const { beyond: texts } = messages;

const nameOf = ({ productTitle, size, sku }: BeyondTolerance) => partsText(productTitle, size, sku);

/** One that is done without, or all of them. */
interface DoingWithout {
  readonly row: BeyondTolerance | null;
  readonly count: number;
}

interface DoWithoutDialogProps {
  readonly sessionId: string;
  readonly doing: DoingWithout;
  readonly onClose: () => void;
}

function DoWithoutDialog({ sessionId, doing: { row, count }, onClose }: DoWithoutDialogProps) {
  const change = useStateBeyond(sessionId);
  const which = row === null ? {} : { skus: [row.sku] };
  return (
    <ReasonDialog
      title={texts.title(countText(count, ...texts.rowMessages))}
      text={texts.text}
      {...(row === null ? {} : { about: texts.which(nameOf(row)) })}
      schema={stateBeyondTolerance.body}
      bodyOf={(reason) => ({ ...which, stated: true, reason })}
      change={change}
      onClose={onClose}
    />
  );
}

const figures = [
  { header: texts.product, cell: nameOf },
  { header: texts.counted, numeric: true, cell: ({ counted }: BeyondTolerance) => quantityText(counted) },
  {
    header: texts.difference,
    numeric: true,
    cell: ({ difference }: BeyondTolerance) => signedText(difference),
  },
];

/** What is beyond tolerance and was not counted again; done without once the session has ended. */
export function OpenBeyond({ session }: { readonly session: CountingSession }) {
  const query = useInfiniteQuery(beyondQuery(session._id, "open"));
  const [doing, setDoing] = useState<DoingWithout | null>(null);
  return (
    <LoadedRows query={query} rowsOf={(page) => page.rows}>
      {(rows, total) => {
        const hasEnded = session.status === "closed";
        const action = {
          header: texts.action,
          hiddenHeader: true,
          cell: (row: BeyondTolerance) => (
            <Button
              variant="default"
              size="sm"
              aria-label={texts.doWithoutFor(nameOf(row))}
              onClick={() => setDoing({ row, count: 1 })}
            >
              {texts.doWithout}
            </Button>
          ),
        };
        return (
          <Section title={texts.heading(quantityText(total))}>
            {hasEnded && total > 1 ? (
              <Group>
                <Button variant="default" size="sm" onClick={() => setDoing({ row: null, count: total })}>
                  {texts.all(total)}
                </Button>
              </Group>
            ) : null}
            <ShowMore rowMessages={texts.rowMessages} shown={rows.length} total={total} query={query}>
              <QuietTable
                label={texts.table}
                rows={rows}
                keyOf={({ sku }) => sku}
                columns={hasEnded ? [...figures, action] : figures}
              />
            </ShowMore>
            {doing === null ? null : (
              <DoWithoutDialog sessionId={session._id} doing={doing} onClose={() => setDoing(null)} />
            )}
          </Section>
        );
      }}
    </LoadedRows>
  );
}

function statementOf({ said }: BeyondTolerance): string | null {
  if (said === null) return null;
  const { reason, by, at, holds } = said;
  return partsText(texts.by(reason, by, dateTimeText(at)), holds ? null : texts.noLonger);
}

/** What an ended session does without another count of, to be taken back; nothing where there is none. */
export function DecidedBeyond({ sessionId }: { readonly sessionId: string }) {
  const query = useInfiniteQuery(beyondQuery(sessionId, "decided"));
  const takeBack = useStateBeyond(sessionId);
  if (isOfEarlierServer(query.error)) return null;
  return (
    <LoadedRows query={query} rowsOf={(page) => page.rows} quiet>
      {(rows, total) => {
        return (
          <Section title={texts.decided(quantityText(total))}>
            <ErrorBox error={takeBack.error} fallback={texts.failed} />
            {total > 1 ? (
              <Group>
                <Button
                  variant="default"
                  size="sm"
                  disabled={takeBack.isPending}
                  onClick={() => takeBack.send({ stated: false })}
                >
                  {texts.takeBackAll(total)}
                </Button>
              </Group>
            ) : null}
            <ShowMore rowMessages={texts.rowMessages} shown={rows.length} total={total} query={query}>
              <QuietTable
                label={texts.decidedTable}
                rows={rows}
                keyOf={({ sku }) => sku}
                columns={[
                  ...figures,
                  { header: texts.statement, cell: statementOf },
                  {
                    header: texts.takeBack,
                    hiddenHeader: true,
                    cell: (row) => (
                      <Button
                        variant="default"
                        size="sm"
                        disabled={takeBack.isPending}
                        aria-label={texts.takeBackFor(nameOf(row))}
                        onClick={() => takeBack.send({ skus: [row.sku], stated: false })}
                      >
                        {texts.takeBack}
                      </Button>
                    ),
                  },
                ]}
              />
            </ShowMore>
          </Section>
        );
      }}
    </LoadedRows>
  );
}
