import type { Match, ScanReason, ScanStatus } from "@stocktake/contract";
import type { SessionProduct } from "../../catalogue/catalogue.ts";

/** A session, read while its areas are locked. */
export interface SessionState {
  readonly id: string;
  readonly storeId: string;
  readonly status: "active" | "ending" | "closed";
  readonly catalogueVersion: number;
}

/** An area, read under its lock. `deleted`: it or its location is. */
export interface AreaState {
  readonly id: string;
  readonly locationId: string;
  readonly storeId: string;
  readonly code: string;
  readonly status: "not_started" | "in_progress" | "closed";
  readonly pass: number;
  readonly deleted: boolean;
}

export interface Classification {
  readonly status: Exclude<ScanStatus, "voided">;
  readonly reason: ScanReason | null;
  readonly sku: string | null;
  readonly pass: number;
}

export interface Circumstances {
  readonly session: SessionState;
  readonly area: AreaState;
  /** The pass that the device began in; null where it names none. */
  readonly sentPass: number | null;
  /** The last pass that the area had in a session that is over. */
  readonly lastPass: number;
  readonly match: Match<SessionProduct>;
}

/**
 * Why a scan can't count any more, or null. The widest cause is given: an ended session before the area, a deleted area
 * before its passes, an earlier pass before the closing of the present one. A session that is ending still counts until
 * the transaction that closes it.
 */
function lateReason({ session, area, sentPass }: Circumstances): ScanReason | null {
  if (session.status === "closed") return "SESSION_CLOSED";
  if (area.deleted) return "AREA_DELETED";
  // A pass that the area never reached is over as well: a device guessed it offline, and the server went another way.
  if (sentPass !== null && sentPass !== area.pass) return "PASS_OVER";
  return area.status === "closed" ? "AREA_CLOSED" : null;
}

/** What a well-formed scan becomes (contract, "What a scan becomes"). */
export function classify(circumstances: Circumstances): Classification {
  const { area, session, sentPass, lastPass, match } = circumstances;
  const sku = match.kind === "one" ? match.product.sku : null;
  const late = lateReason(circumstances);
  if (late !== null) {
    const pass = sentPass ?? (session.status === "closed" ? lastPass : area.pass);
    return { status: "late", reason: late, sku, pass };
  }
  if (sku !== null) return { status: "counted", reason: null, sku, pass: area.pass };
  const reason = match.kind === "several" ? "AMBIGUOUS_CODE" : "UNKNOWN_CODE";
  return { status: "unresolved", reason, sku, pass: area.pass };
}

/**
 * The area that a scan means, among those that have or had its code in its location: the present one, unless the device
 * began in a pass that this one never had. Then it counted in an area of the same code that was deleted since, where
 * there is one. Null where no area ever had the code.
 */
export function areaMeant(areas: readonly AreaState[], sentPass: number | null): AreaState | null {
  const [present, ...former] = [...areas].sort((one, other) => Number(one.deleted) - Number(other.deleted));
  if (present === undefined) return null;
  if (sentPass === null || sentPass <= present.pass) return present;
  return former.find((area) => sentPass <= area.pass) ?? present;
}
