import { useEffect, useState } from "react";

/** Whether what uses it has been on the page for so many milliseconds. */
export function usePast(milliseconds: number): boolean {
  const [past, setPast] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setPast(true), milliseconds);
    return () => window.clearTimeout(timer);
  }, [milliseconds]);
  return past;
}
