import { verifyFile } from "../verify.ts";

export const verify = (file: string | Uint8Array<ArrayBuffer>) => verifyFile(new Blob([file]));

/** What the page says is wrong with a file. */
export const textsOf = async (file: string) => (await verify(file)).faults.map(({ text }) => text);
