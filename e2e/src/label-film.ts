import { writeFile } from "node:fs/promises";

/*
 * A film for Chromium's fake camera: an EAN-13 label (GS1 General Specifications, 5.2) that is held before the camera
 * and taken away again, over and over.
 */

const width = 640;
const height = 480;
const moduleWidth = 4;
const framesASecond = 10;

const left = [
  "0001101",
  "0011001",
  "0010011",
  "0111101",
  "0100011",
  "0110001",
  "0101111",
  "0111011",
  "0110111",
  "0001011",
];
const parities = [
  "LLLLLL",
  "LLGLGG",
  "LLGGLG",
  "LLGGGL",
  "LGLLGG",
  "LGGLLG",
  "LGGGLL",
  "LGLGLG",
  "LGLGGL",
  "LGGLGL",
];

const inverted = (bars: string) => [...bars].map((bar) => (bar === "1" ? "0" : "1")).join("");
const mirrored = (bars: string) => [...bars].reverse().join("");

/** The 95 modules of an EAN-13 symbol, 1 for a bar. */
function modulesOf(ean: string): string {
  const digits = [...ean].map(Number);
  const bars = (digit: number | undefined) => left[digit ?? 0] ?? "";
  const parity = parities[digits[0] ?? 0] ?? "";
  const leftHalf = [...parity].map((set, index) => {
    const pattern = bars(digits[index + 1]);
    return set === "L" ? pattern : mirrored(inverted(pattern));
  });
  const rightHalf = digits.slice(7).map((digit) => inverted(bars(digit)));
  return ["101", ...leftHalf, "01010", ...rightHalf, "101"].join("");
}

/** One frame in YUV 4:2:0: the label on white in the middle of a grey wall, or the wall alone. */
function frameOf(modules: string | null): Buffer {
  const [black, white, grey, noColour] = [16, 235, 150, 128];
  const luma = Buffer.alloc(width * height, grey);
  const chroma = Buffer.alloc((width * height) / 2, noColour);
  if (modules === null) return Buffer.concat([luma, chroma]);
  const quiet = 11 * moduleWidth;
  const from = Math.floor((width - modules.length * moduleWidth) / 2);
  const row = Buffer.alloc(width, grey);
  row.fill(white, from - quiet, from + modules.length * moduleWidth + quiet);
  for (const [index, bar] of [...modules].entries()) {
    if (bar === "1") row.fill(black, from + index * moduleWidth, from + (index + 1) * moduleWidth);
  }
  for (let line = height / 4; line < (height * 3) / 4; line += 1) row.copy(luma, line * width);
  return Buffer.concat([luma, chroma]);
}

const secondsWithLabel = 1.5;
/** How long the film is before it begins again. */
export const filmSeconds = 2.8;

/** Writes the film as YUV4MPEG2: a second and a half with the label, then 1.3 without, in which it is gone for the app. */
export async function writeLabelFilm(path: string, ean: string): Promise<void> {
  const withLabel = frameOf(modulesOf(ean));
  const without = frameOf(null);
  const frames = Array.from({ length: filmSeconds * framesASecond }, (_none, index) =>
    index < secondsWithLabel * framesASecond ? withLabel : without,
  );
  const header = Buffer.from(`YUV4MPEG2 W${width} H${height} F${framesASecond}:1 Ip A1:1 C420jpeg\n`);
  const mark = Buffer.from("FRAME\n");
  await writeFile(path, Buffer.concat([header, ...frames.flatMap((frame) => [mark, frame])]));
}
