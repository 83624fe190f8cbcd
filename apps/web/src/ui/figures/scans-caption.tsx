import { Text } from "@mantine/core";

/** The one meaning of every figure called scans (docs/GLOSSARY.md), for below it. */
const meaning =
  "Scans are units that count now. What was undone, recounted, set aside as late or unknown, or scanned for a second count is not among them.";

export function ScansCaption() {
  return (
    <Text c="dimmed" fz="xs">
      {meaning}
    </Text>
  );
}
