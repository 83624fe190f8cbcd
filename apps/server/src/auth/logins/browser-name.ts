import bowser from "bowser";

/** Real headers and names are shorter than these; whoever sends more makes it up. */
const [longestHeader, longestName] = [400, 40];

/** What a browser says of itself in its User-Agent header, in words such as "Chrome on Android"; null where nothing is told. */
export function browserName(userAgent: string | undefined): string | null {
  if (userAgent === undefined || userAgent === "") return null;
  const parser = bowser.getParser(userAgent.slice(0, longestHeader));
  const names = [parser.getBrowserName(), parser.getOSName()];
  const [browser = "", system = ""] = names.map((name) => (name.length > longestName ? "" : name));
  if (browser === "") return system === "" ? null : system;
  return system === "" ? browser : `${browser} on ${system}`;
}
