import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import {
  type AreaStatement,
  areaNaming,
  type CountingSession,
  type CoveredArea,
  limits,
  stateAreas,
} from "@stocktake/contract";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { countAgainPath } from "../../http/count-again.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { dateTimeText, partsText, quantityText } from "../../ui/formats.ts";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { QuietTable } from "../../ui/tables/quiet-table.tsx";
import { areasQuery, useStateAreas } from "./api.ts";
import { LoadedRows } from "./loaded-rows.tsx";
import { messages } from "./messages.ts";
import { ReasonDialog } from "./reason-dialog.tsx";

const { areas: texts } = messages;

const nameOf = ({ area: { code, name, locationName } }: CoveredArea) =>
  partsText(name === code ? code : `${code} - ${name}`, locationName);

/** What can be stated about an area as it is; nothing where only counting helps. */
function statementFor({ state, counted, cutOff }: CoveredArea): AreaStatement | null {
  if (state === "empty_once") return "empty";
  if (state === "not_counted") return counted ? null : "void";
  return cutOff ? "without_second_count" : null;
}

function stateText({ state, counted, cutOff }: CoveredArea): string {
  if (state === "not_counted" && counted) return texts.partly;
  return partsText(texts.states[state], cutOff ? texts.cutOff : null);
}

/** Areas, and what is to be stated about them with a reason. */
interface NewStatement {
  readonly as: Exclude<AreaStatement, "empty">;
  readonly areas: readonly CoveredArea[];
}

/** Two locations may each have an A1. */
const areaName = ({ area: { code, locationName } }: Pick<CoveredArea, "area">) =>
  partsText(code, locationName);
/** @param listed all the areas that are on the page */
const namesOf = (areas: readonly CoveredArea[], listed: readonly CoveredArea[]) => {
  const nameAmong = areaNaming(listed.map(({ area }) => area));
  return areas.map(({ area }) => nameAmong(area)).join(", ");
};
const idsOf = (areas: readonly CoveredArea[]) => areas.map(({ area }) => area._id);

interface StatementDialogProps extends NewStatement {
  readonly sessionId: string;
  readonly listed: readonly CoveredArea[];
  readonly onClose: () => void;
}

function StatementDialog({ sessionId, as, areas, listed, onClose }: StatementDialogProps) {
  const change = useStateAreas(sessionId);
  return (
    <ReasonDialog
      title={texts.title[as]}
      text={texts.text[as]}
      about={texts.which(namesOf(areas, listed))}
      schema={stateAreas.body}
      bodyOf={(reason) => ({ areaIds: idsOf(areas), as, stated: true, reason })}
      change={change}
      onClose={onClose}
    />
  );
}

interface AllAtOnceProps {
  readonly areas: readonly CoveredArea[];
  readonly busy: boolean;
  readonly onConfirm: (areas: readonly CoveredArea[]) => void;
  readonly onState: (statement: NewStatement) => void;
}

/** The same said of all that are shown. */
function AllAtOnce({ areas, busy, onConfirm, onState }: AllAtOnceProps) {
  const of = (as: AreaStatement) =>
    areas.filter((area) => statementFor(area) === as).slice(0, limits.areasPerCall);
  const [empty, uncounted] = [of("empty"), of("void")];
  if (empty.length < 2 && uncounted.length < 2) return null;
  return (
    <Group gap="xs">
      {empty.length < 2 ? null : (
        <Button variant="default" size="sm" disabled={busy} onClick={() => onConfirm(empty)}>
          {texts.all(empty.length)}
        </Button>
      )}
      {uncounted.length < 2 ? null : (
        <Button variant="default" size="sm" onClick={() => onState({ as: "void", areas: uncounted })}>
          {texts.voidAll(uncounted.length)}
        </Button>
      )}
    </Group>
  );
}

interface ImpossibleProps {
  readonly session: CountingSession;
  readonly areas: readonly CoveredArea[];
}

/** Says of an ended session that nothing accounts for what was counted in part; nothing where there is no such area. */
function Impossible({ session, areas }: ImpossibleProps) {
  const partly = areas.filter(({ state, counted }) => state === "not_counted" && counted);
  if (session.status !== "closed" || partly.length === 0) return null;
  return (
    <Notice kind="warning" title={texts.impossible}>
      <Text fz="sm">{texts.impossibleText(namesOf(partly, areas))}</Text>
      <Anchor component={Link} to={countAgainPath(session._id)} fz="sm" py={4} display="inline-block">
        {texts.toCountAgain}
      </Anchor>
    </Notice>
  );
}

/** The areas that are to be accounted for: each with what can be said of it. */
export function OpenAreas({ session }: { readonly session: CountingSession }) {
  const sessionId = session._id;
  const query = useInfiniteQuery(areasQuery(sessionId, "open"));
  const confirm = useStateAreas(sessionId);
  const [statement, setStatement] = useState<NewStatement | null>(null);
  return (
    <LoadedRows query={query} rowsOf={(page) => page.areas}>
      {(areas, total) => {
        const confirmEmpty = (those: readonly CoveredArea[]) =>
          confirm.send({ areaIds: idsOf(those), as: "empty", stated: true });
        const press = (area: CoveredArea, as: AreaStatement) =>
          as === "empty" ? confirmEmpty([area]) : setStatement({ as, areas: [area] });
        return (
          <Section title={texts.heading(quantityText(total))}>
            <Impossible session={session} areas={areas} />
            <ErrorBox error={confirm.error} fallback={texts.failed} />
            <AllAtOnce
              areas={areas}
              busy={confirm.isPending}
              onConfirm={confirmEmpty}
              onState={setStatement}
            />
            <ShowMore rowMessages={texts.rowMessages} shown={areas.length} total={total} query={query}>
              <QuietTable
                label={texts.table}
                rows={areas}
                keyOf={({ area }) => area._id}
                columns={[
                  { header: texts.area, cell: nameOf },
                  { header: texts.state, cell: stateText },
                  {
                    header: texts.action,
                    hiddenHeader: true,
                    cell: (area) => {
                      const as = statementFor(area);
                      if (as === null) return null;
                      return (
                        <Button
                          variant="default"
                          size="sm"
                          disabled={confirm.isPending}
                          aria-label={texts.stateFor(texts.actions[as], areaName(area))}
                          onClick={() => press(area, as)}
                        >
                          {texts.actions[as]}
                        </Button>
                      );
                    },
                  },
                ]}
              />
            </ShowMore>
            {statement === null ? null : (
              <StatementDialog
                sessionId={sessionId}
                listed={areas}
                {...statement}
                onClose={() => setStatement(null)}
              />
            )}
          </Section>
        );
      }}
    </LoadedRows>
  );
}

interface StatementsProps {
  readonly area: CoveredArea;
  readonly busy: boolean;
  readonly onTakeBack: (as: AreaStatement) => void;
}

/** Each statement beside what takes it back: an area may have several. */
function Statements({ area: { area, said }, busy, onTakeBack }: StatementsProps) {
  return (
    <Stack gap="xs">
      {said.map(({ as, reason, by, at, holds }) => (
        <Group key={as} gap="xs" justify="flex-end">
          <Text fz="sm" style={{ flex: "1 1 12rem", overflowWrap: "anywhere" }}>
            {partsText(
              texts.statements[as],
              reason,
              texts.by(by, dateTimeText(at)),
              holds ? null : texts.noLonger,
            )}
          </Text>
          <Button
            variant="default"
            size="sm"
            disabled={busy}
            aria-label={texts.takeBackFor(areaName({ area }), texts.statements[as])}
            onClick={() => onTakeBack(as)}
          >
            {texts.takeBack}
          </Button>
        </Group>
      ))}
    </Stack>
  );
}

/** What was said of areas, to be taken back; nothing where nothing was. */
export function DecidedAreas({ sessionId }: { readonly sessionId: string }) {
  const query = useInfiniteQuery(areasQuery(sessionId, "decided"));
  const takeBack = useStateAreas(sessionId);
  return (
    <LoadedRows query={query} rowsOf={(page) => page.areas} quiet>
      {(areas, total) => {
        return (
          <Section title={texts.decided(quantityText(total))}>
            <ErrorBox error={takeBack.error} fallback={texts.failed} />
            <ShowMore rowMessages={texts.rowMessages} shown={areas.length} total={total} query={query}>
              <QuietTable
                label={texts.decidedTable}
                rows={areas}
                keyOf={({ area }) => area._id}
                columns={[
                  { header: texts.area, cell: nameOf },
                  { header: texts.state, cell: stateText },
                  {
                    header: texts.statementsHeader,
                    cell: (area) => (
                      <Statements
                        area={area}
                        busy={takeBack.isPending}
                        onTakeBack={(as) => takeBack.send({ areaIds: [area.area._id], as, stated: false })}
                      />
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
