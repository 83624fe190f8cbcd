import type { HelpText } from "../../ui/help/page-help.tsx";

export const help: HelpText = {
  about:
    "Everything that the session leaves open, with what to do about it. Once nothing is open, a certificate says so.",
  terms: ["certificate", "voidArea", "leftAlone", "neverCounted", "countSheet"],
  next: "Work off what is open, line by line. End the session under Sessions, then issue the certificate here. A lost or broken device that has not sent everything keeps the item of devices open: import its saved queue under Sessions. Without that file this session can have no certificate; its report and its deploy are not affected.",
};
