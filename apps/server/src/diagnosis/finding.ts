import type { CheckName, Finding } from "@stocktake/contract";

export function ok(check: CheckName, message: string): Finding {
  return { check, status: "ok", message, advice: null };
}

export function warning(check: CheckName, message: string, advice: string): Finding {
  return { check, status: "warning", message, advice };
}

export function failed(check: CheckName, message: string, advice: string): Finding {
  return { check, status: "failed", message, advice };
}

export function notConfigured(check: CheckName, message: string, advice: string): Finding {
  return { check, status: "not_configured", message, advice };
}
