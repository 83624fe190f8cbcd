// Runs before the first paint. A file of its own: the content policy forbids inline scripts.
import { keepEarlyKeys } from "../scanner/early-keys.ts";
import { markDocument } from "./mark-document.ts";

markDocument();
keepEarlyKeys();
