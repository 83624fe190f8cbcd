import { ActionIcon, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../dialog.tsx";
import classes from "./page-help.module.css";
import { type Term, terms } from "./terms.ts";

/** What a page is for, the words on it, and what to do next. */
export interface HelpText {
  readonly about: string;
  readonly terms: readonly Term[];
  readonly next: string;
}

interface PageHelpProps {
  /** Of the page. */
  readonly title: string;
  readonly help: HelpText;
}

function HelpDialog({ title, help, onClose }: PageHelpProps & { readonly onClose: () => void }) {
  return (
    <Dialog title={`Help: ${title}`} onClose={onClose}>
      <Stack gap="md">
        <Text>{help.about}</Text>
        <dl className={classes.terms}>
          {help.terms.map((term) => {
            const [name, meaning] = terms[term];
            return (
              <div key={term}>
                <dt>{name}</dt>
                <dd>{meaning}</dd>
              </div>
            );
          })}
        </dl>
        <div>
          <Title order={3} fz="md">
            Next
          </Title>
          <Text>{help.next}</Text>
        </div>
      </Stack>
    </Dialog>
  );
}

/** The ? beside a page's heading. */
export function PageHelp({ title, help }: PageHelpProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActionIcon
        variant="default"
        size={44}
        radius="xl"
        aria-label={`Help: ${title}`}
        className="screen-only"
        onClick={() => setOpen(true)}
      >
        <span aria-hidden="true">?</span>
      </ActionIcon>
      {isOpen ? <HelpDialog title={title} help={help} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
