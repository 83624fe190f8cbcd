import { Group, Text } from "@mantine/core";

/** The product's mark: a tally of five, drawn as a barcode. */
function LogoMark({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#0b5d4e" />
      <path
        d="M8 9v14M12 9v14M16 9v14M20 9v14"
        stroke="#ffffff"
        strokeWidth="2.2"
        strokeLinecap="round"
        fill="none"
      />
      <path d="M5.5 20.5 26 11" stroke="#7fd6c2" strokeWidth="2.2" strokeLinecap="round" fill="none" />
    </svg>
  );
}

/** The mark and the name. */
export function Logo({ size = 32 }: { size?: number }) {
  return (
    <Group gap="xs" wrap="nowrap" component="span">
      <LogoMark size={size} />
      <Text component="span" fw={680} fz={Math.round(size * 0.58)} lts="-0.02em">
        Stocktake
      </Text>
    </Group>
  );
}
