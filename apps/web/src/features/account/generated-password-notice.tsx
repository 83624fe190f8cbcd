import { Box, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { securityQuery } from "../../http/shared-queries.ts";
import { Notice } from "../../ui/notice.tsx";
import { messages } from "./messages.ts";

const { generated: labels } = messages;

/** Stays until the password that the server made up was changed. */
export function GeneratedPasswordNotice() {
  const { data: security } = useQuery(securityQuery);
  if (security?.passwordIsGenerated !== true) return null;
  const action = (
    <Button component={Link} to="/admin/settings" variant="default" size="sm">
      {labels.action}
    </Button>
  );
  return (
    <Box mb="md" className="screen-only">
      <Notice kind="warning" title={labels.title} action={action}>
        {labels.text}
      </Notice>
    </Box>
  );
}
