import { Button, Text } from "@mantine/core";
import { Link } from "react-router";
import { texts } from "./texts.ts";

/** The way to the audit log, which the navigation does not name. */
export function AuditLink() {
  return (
    <>
      <Text c="dimmed">{texts.audit.intro}</Text>
      <Button component={Link} to="/admin/audit" variant="default" style={{ alignSelf: "flex-start" }}>
        {texts.audit.open}
      </Button>
    </>
  );
}
