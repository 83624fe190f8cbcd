import { GARMENTS, type Garment } from "./garments.ts";

const PLAIN_COLOUR = "#8a8f94";

interface Tint {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

function readTint(colour: string): Tint {
  const safe = /^#[0-9a-f]{6}$/i.test(colour) ? colour : PLAIN_COLOUR;
  const part = (from: number) => Number.parseInt(safe.slice(from, from + 2), 16);
  return { red: part(1), green: part(3), blue: part(5) };
}

/** Mixes towards black (below 0) or white (above 0). */
function mixed({ red, green, blue }: Tint, amount: number): string {
  const towards = amount < 0 ? 0 : 255;
  const part = (value: number) => Math.round(value + (towards - value) * Math.abs(amount));
  return `rgb(${part(red)} ${part(green)} ${part(blue)})`;
}

function isDark({ red, green, blue }: Tint): boolean {
  return red * 0.299 + green * 0.587 + blue * 0.114 < 90;
}

function paths(list: readonly string[] | undefined, attributes: string): string {
  return (list ?? []).map((path) => `<path d="${path}" ${attributes}/>`).join("");
}

/** One half of a garment; the other is its mirror image. */
function half({ half: outlines, inside, seams, stitches }: Garment, tint: Tint): string {
  const line = mixed(tint, isDark(tint) ? 0.28 : -0.32);
  const outline = `stroke="${line}" stroke-width="2" stroke-linejoin="round"`;
  return [
    paths(inside, `fill="${mixed(tint, -0.42)}"`),
    paths(outlines, `fill="${mixed(tint, 0)}" ${outline}`),
    paths(outlines, 'fill="url(#shade)"'),
    paths(seams, `fill="none" stroke="${line}" stroke-width="2" stroke-linecap="round"`),
    paths(stitches, `fill="none" stroke="${line}" stroke-width="1.5" stroke-dasharray="5 4"`),
  ].join("");
}

function whole({ whole: outlines, wholeSeams, wholeStitches, dots }: Garment, tint: Tint): string {
  const line = mixed(tint, isDark(tint) ? 0.28 : -0.32);
  return [
    paths(
      outlines,
      `fill-rule="evenodd" fill="${mixed(tint, 0)}" stroke="${line}" stroke-width="2" stroke-linejoin="round"`,
    ),
    paths(outlines, 'fill-rule="evenodd" fill="url(#shade)"'),
    paths(wholeSeams, `fill="none" stroke="${line}" stroke-width="2" stroke-linecap="round"`),
    paths(wholeStitches, `fill="none" stroke="${line}" stroke-width="1.5" stroke-dasharray="5 4"`),
    ...(dots ?? []).map(
      ([x, y]) =>
        `<circle cx="${x}" cy="${y}" r="4.5" fill="${mixed(tint, 0.55)}" stroke="${line}" stroke-width="1.5"/>`,
    ),
  ].join("");
}

const FRAME = `<defs>
<linearGradient id="wall" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#f6f4f0"/><stop offset="1" stop-color="#e7e3dc"/></linearGradient>
<linearGradient id="shade" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#000" stop-opacity=".16"/><stop offset=".55" stop-color="#000" stop-opacity="0"/></linearGradient>
<clipPath id="left"><rect width="201" height="600"/></clipPath>
</defs><rect width="400" height="600" fill="url(#wall)"/><ellipse cx="200" cy="548" rx="128" ry="11" fill="#000" opacity=".07"/>`;

/**
 * A flat drawing of a kind of garment in a colour (#rrggbb), 400 by 600, as SVG text. An unknown kind is
 * drawn as a tee.
 */
export function garmentDrawing(garment: string, colour: string): string {
  const drawing = GARMENTS[garment] ?? GARMENTS.tee ?? {};
  const tint = readTint(colour);
  const side = half(drawing, tint);
  const body =
    side === ""
      ? ""
      : `<g clip-path="url(#left)">${side}</g><g transform="translate(400) scale(-1 1)"><g clip-path="url(#left)">${side}</g></g>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 600" width="400" height="600">${FRAME}${body}${whole(drawing, tint)}</svg>`;
}
