import type { HelpText } from "../../ui/help/page-help.tsx";

export const help: HelpText = {
  about:
    "Everything that the session leaves open, with what to do about it. Once nothing is open, a certificate says so.",
  terms: ["certificate", "voidArea", "leftAlone", "neverCounted", "countSheet"],
  next: "Work off what is open, line by line. End the session under Sessions, then issue the certificate here. A device of which it is not known whether it has sent everything can be accounted for with a reason. A lost or broken device that said that it holds something keeps the item of devices open: import its saved queue under Sessions. Without that file this session can have no certificate; its report and its deploy are not affected.",
};
