import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { EmptyState } from "./empty-state.tsx";

/** Shown where nothing can be listed without a store: `children` explains what a store is needed for. */
export function NoStores({ children }: { children: ReactNode }) {
  const toStores = (
    <Button component={Link} to="/admin/stores" variant="default">
      Go to Stores
    </Button>
  );
  return (
    <EmptyState title="No Stores Yet" action={toStores}>
      {children}
    </EmptyState>
  );
}
