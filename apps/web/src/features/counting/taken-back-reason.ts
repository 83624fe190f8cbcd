import type { ScanReason } from "@stocktake/contract";
import { isOfNoCount, type PendingScan } from "../../offline/offline.ts";
import { messages } from "./messages.ts";
import { restoredMessages } from "./restored-messages.ts";

type TakenBack = Pick<PendingScan, "input" | "pass">;

/** Why a scan that was shown as counted is taken back. */
export function takenBackReason(reason: ScanReason | null, { input, pass }: TakenBack): string {
  switch (reason) {
    case "UNKNOWN_CODE":
      return messages.unknownCode(input);
    case "AMBIGUOUS_CODE":
      return `Not counted: ${input} matches several products. An administrator will decide.`;
    case "AREA_CLOSED":
      return `Not counted. ${messages.areaClosed}`;
    case "AREA_DELETED":
      return `Not counted. ${messages.areaDeleted}`;
    case "SESSION_CLOSED":
      return messages.noSession;
    case "PASS_OVER":
      return isOfNoCount({ pass }) ? messages.ofNoCount : `Not counted. ${messages.startedAgain}`;
    case "AREA_RESET":
    case "AREA_REOPENED":
    case "COUNT_MISMATCHED":
    case "SUPERSEDED":
      return `Not counted. ${messages.startedAgain}`;
    case "PASS_REPLACED":
      return restoredMessages.replaced;
    case "UNDONE":
      return "Not counted: this scan was undone.";
    case "DISMISSED":
      return "Not counted: an administrator dismissed this scan.";
    case "TAG_COUNTED":
      return messages.tagCounted;
    case "TAG_ELSEWHERE":
      return messages.tagElsewhere;
    case null:
      return "Not counted by the server.";
  }
}
