import { Button, Stack, Text, TextInput } from "@mantine/core";
import type { KeptPack } from "@stocktake/contract";
import { useState } from "react";
import { EmptyState } from "../../ui/empty-state.tsx";
import { partsText } from "../../ui/formats.ts";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { type QuietColumn, QuietTable } from "../../ui/tables/quiet-table.tsx";
import { messages } from "./messages.ts";
import classes from "./packs.module.css";

const shownAtMost = 200;

function Product({ pack }: { pack: KeptPack }) {
  if (pack.productTitle === null) return <StatusBadge tone="warning">{messages.gone}</StatusBadge>;
  return (
    <>
      {partsText(pack.productTitle, pack.size)}
      {pack.ownCodeOf.length === 0 ? null : (
        <StatusBadge tone="warning">{messages.ownCode(pack.ownCodeOf.join(", "))}</StatusBadge>
      )}
    </>
  );
}

const columnsOf = (onRemove: (pack: KeptPack) => void): readonly QuietColumn<KeptPack>[] => [
  { header: "Code", cell: ({ code }) => <span className={classes.code}>{code}</span> },
  { header: "Product", cell: (pack) => <Product pack={pack} /> },
  { header: "SKU", cell: ({ sku }) => sku },
  { header: "Units", numeric: true, cell: ({ units }) => messages.units(units) },
  {
    header: "Actions",
    hiddenHeader: true,
    cell: (pack) => (
      <Button
        variant="subtle"
        color="red"
        size="sm"
        onClick={() => onRemove(pack)}
        aria-label={`${messages.remove} ${pack.code}`}
      >
        {messages.remove}
      </Button>
    ),
  },
];

interface PackListProps {
  readonly packs: readonly KeptPack[];
  readonly onRemove: (pack: KeptPack) => void;
}

export function PackList({ packs, onRemove }: PackListProps) {
  const [search, setSearch] = useState("");
  if (packs.length === 0) return <EmptyState title={messages.none}>{messages.noneText}</EmptyState>;
  const wanted = search.trim().toLowerCase();
  const found = packs.filter(({ code, sku, productTitle }) =>
    `${code} ${sku} ${productTitle ?? ""}`.toLowerCase().includes(wanted),
  );
  return (
    <Stack gap="sm">
      <TextInput
        type="search"
        label={messages.search}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {found.length === 0 ? <Text c="dimmed">{messages.noMatch}</Text> : null}
      {found.length > shownAtMost ? (
        <Text c="dimmed">{messages.shown(shownAtMost, found.length)}</Text>
      ) : null}
      {found.length === 0 ? null : (
        <QuietTable
          label={messages.listHeading}
          columns={columnsOf(onRemove)}
          rows={found.slice(0, shownAtMost)}
          keyOf={({ code }) => code}
        />
      )}
    </Stack>
  );
}
