import { SimpleGrid, VisuallyHidden } from "@mantine/core";
import { Link } from "react-router";
import { ForwardIcon } from "../../ui/icons.tsx";
import classes from "./quick-actions.module.css";
import { quickActions, texts } from "./texts.ts";

export function QuickActions() {
  return (
    <section>
      <VisuallyHidden component="h2">{texts.quickActions}</VisuallyHidden>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing={{ base: "xs", sm: "sm" }}>
        {quickActions.map((action) => (
          <Link key={action.to} to={action.to} className={classes.action}>
            <span>
              <span className={classes.label}>{action.label}</span>
              <br />
              <span className={classes.note}>{action.note}</span>
            </span>
            <span className={classes.arrow}>
              <ForwardIcon />
            </span>
          </Link>
        ))}
      </SimpleGrid>
    </section>
  );
}
