import { Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import classes from "./row.module.css";

/** A part of the explanation under its heading. */
export function ExplanationPart({
  heading,
  children,
}: {
  readonly heading: string;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.part}>
      <Title order={3} id={id} className={classes.heading ?? ""}>
        {heading}
      </Title>
      {children}
    </section>
  );
}
