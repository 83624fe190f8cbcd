import { type ReactNode, useState } from "react";
import { useBurstGuard } from "../../../scanner/use-burst-guard.ts";
import { Notice } from "../../../ui/notice.tsx";

/**
 * Guards a dialog in which a person decides: a scan presses nothing there, and is not taken. Gives what is shown of it,
 * null before the first; `onScanIgnored` makes it heard. What nobody heard or read of would be taken for counted.
 */
export function useScanWarning(text: string, onScanIgnored: () => void): ReactNode {
  const [isScanIgnored, setScanIgnored] = useState(false);
  useBurstGuard(true, () => {
    setScanIgnored(true);
    onScanIgnored();
  });
  return isScanIgnored ? (
    <Notice kind="error" role="alert">
      {text}
    </Notice>
  ) : null;
}
