import { readFileSync, writeFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";

/*
 * Draws the app's icons from public/logo.svg (npm run icons). It reads what that one drawing consists of: a rounded
 * rectangle, and strokes of straight lines with round ends.
 */

interface Stroke {
  readonly lines: readonly (readonly [x1: number, y1: number, x2: number, y2: number])[];
  readonly width: number;
  readonly colour: Colour;
}

interface Drawing {
  readonly size: number;
  readonly radius: number;
  readonly background: Colour;
  readonly strokes: readonly Stroke[];
}

type Colour = readonly [red: number, green: number, blue: number];

interface Icon {
  readonly file: string;
  readonly pixels: number;
  /** Full bleed, with the drawing inside the safe zone: the system cuts its own shape (W3C manifest, "maskable"). */
  readonly isMaskable: boolean;
}

const icons: readonly Icon[] = [
  { file: "icon-192.png", pixels: 192, isMaskable: false },
  { file: "icon-512.png", pixels: 512, isMaskable: false },
  { file: "icon-maskable-512.png", pixels: 512, isMaskable: true },
  { file: "apple-touch-icon.png", pixels: 180, isMaskable: true },
];

const maskableScale = 0.72;
const folder = new URL("../public/", import.meta.url);

function attribute(element: string, name: string): string {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(element)?.[1];
  if (value === undefined) throw new Error(`The logo has an element without ${name}: ${element}`);
  return value;
}

function colourOf(hex: string): Colour {
  const channel = (from: number) => Number.parseInt(hex.slice(from, from + 2), 16);
  return [channel(1), channel(3), channel(5)];
}

/** Reads M x y, followed by v dy or by an absolute point: the only forms the logo uses. */
function linesOf(path: string): Stroke["lines"] {
  return [...path.matchAll(/M([\d.]+) ([\d.]+)(?:v([\d.]+)| ([\d.]+) ([\d.]+))/g)].map(
    ([, x, y, dy, toX, toY]) => [
      Number(x),
      Number(y),
      Number(toX ?? x),
      dy === undefined ? Number(toY) : Number(y) + Number(dy),
    ],
  );
}

function readDrawing(svg: string): Drawing {
  const rectangle = /<rect[^>]*>/.exec(svg)?.[0] ?? "";
  const strokes = [...svg.matchAll(/<path[^>]*>/g)].map(([element]) => ({
    lines: linesOf(attribute(element, "d")),
    width: Number(attribute(element, "stroke-width")),
    colour: colourOf(attribute(element, "stroke")),
  }));
  return {
    size: Number(attribute(rectangle, "width")),
    radius: Number(attribute(rectangle, "rx")),
    background: colourOf(attribute(rectangle, "fill")),
    strokes,
  };
}

/** The distance to the square with rounded corners, negative inside. */
function distanceToGround({ size, radius }: Drawing, x: number, y: number): number {
  const beyond = (at: number) => Math.abs(at - size / 2) - size / 2 + radius;
  const [right, down] = [beyond(x), beyond(y)];
  return Math.hypot(Math.max(right, 0), Math.max(down, 0)) + Math.min(Math.max(right, down), 0) - radius;
}

function distanceToStroke({ lines, width }: Stroke, x: number, y: number): number {
  const distances = lines.map(([x1, y1, x2, y2]) => {
    const [dx, dy] = [x2 - x1, y2 - y1];
    const along = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)));
    return Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
  });
  return Math.min(...distances) - width / 2;
}

/** The colour of one pixel; edges are softened over one pixel's width. */
function pixelOf(drawing: Drawing, icon: Icon, column: number, row: number): number[] {
  const unit = drawing.size / icon.pixels / (icon.isMaskable ? maskableScale : 1);
  const place = (at: number) => (at + 0.5 - icon.pixels / 2) * unit + drawing.size / 2;
  const [x, y] = [place(column), place(row)];
  const covered = (distance: number) => Math.min(1, Math.max(0, 0.5 - distance / unit));
  let colour = drawing.background;
  for (const stroke of drawing.strokes) {
    const share = covered(distanceToStroke(stroke, x, y));
    const mixed = (channel: 0 | 1 | 2) => colour[channel] * (1 - share) + stroke.colour[channel] * share;
    colour = [mixed(0), mixed(1), mixed(2)];
  }
  const opacity = icon.isMaskable ? 1 : covered(distanceToGround(drawing, x, y));
  return [...colour, opacity * 255].map(Math.round);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** A PNG of 8-bit RGBA (PNG specification, third edition, sections 5 and 11). */
function png(pixels: number, rows: readonly number[][]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(pixels, 0);
  header.writeUInt32BE(pixels, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const unfiltered = 0;
  const data = deflateSync(Buffer.from(rows.flatMap((row) => [unfiltered, ...row])), { level: 9 });
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function draw(drawing: Drawing, icon: Icon): Buffer {
  const places = Array.from({ length: icon.pixels }, (_none, index) => index);
  return png(
    icon.pixels,
    places.map((row) => places.flatMap((column) => pixelOf(drawing, icon, column, row))),
  );
}

const logo = readDrawing(readFileSync(new URL("logo.svg", folder), "utf8"));
for (const icon of icons) writeFileSync(new URL(icon.file, folder), draw(logo, icon));
