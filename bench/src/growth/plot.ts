/** A kind of work, and what it took at each number of rows, in milliseconds. */
export interface Curve {
  readonly name: string;
  readonly points: readonly { readonly rows: number; readonly milliseconds: number }[];
}

const [width, height, left, bottom, top, right] = [760, 420, 64, 48, 20, 170];
const colours = ["#1c5d99", "#b3541e", "#2f6b3a", "#6d4c8f", "#8a6d00"];

/** A drawing (SVG) of the curves, both axes on a log scale, so that a cost which stays where it was is a level line. */
export function plot(curves: readonly Curve[]): string {
  const points = curves.flatMap((curve) => curve.points);
  const across = scaleOf(
    points.map(({ rows }) => rows),
    [left, width - right],
  );
  const up = scaleOf(
    points.map(({ milliseconds }) => milliseconds),
    [height - bottom, top],
  );
  const lines = curves.map((curve, index) =>
    drawCurve(curve, colours[index % colours.length] ?? "#000", across, up),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...across.powers.map(
      (power) =>
        `<path d="M${across.at(power)} ${top}V${height - bottom}" stroke="#ddd"/>` +
        `<text x="${across.at(power)}" y="${height - bottom + 18}" text-anchor="middle">${power.toLocaleString("en")}</text>`,
    ),
    ...up.powers.map(
      (power) =>
        `<path d="M${left} ${up.at(power)}H${width - right}" stroke="#ddd"/>` +
        `<text x="${left - 8}" y="${up.at(power) + 4}" text-anchor="end">${power.toLocaleString("en")} ms</text>`,
    ),
    `<text x="${(left + width - right) / 2}" y="${height - 8}" text-anchor="middle">snapshot rows of closed sessions</text>`,
    ...lines,
    "</svg>",
    "",
  ].join("\n");
}

interface Scale {
  readonly at: (value: number) => number;
  /** The powers of ten that the scale spans. */
  readonly powers: readonly number[];
}

function scaleOf(values: readonly number[], [from, to]: readonly [number, number]): Scale {
  const logs = values.map(Math.log10);
  const [low, high] = [Math.floor(Math.min(...logs)), Math.ceil(Math.max(...logs))];
  const step = (to - from) / Math.max(1, high - low);
  return {
    at: (value) => Math.round(from + (Math.log10(value) - low) * step),
    powers: Array.from({ length: high - low + 1 }, (_none, index) => 10 ** (low + index)),
  };
}

function drawCurve({ name, points }: Curve, colour: string, across: Scale, up: Scale): string {
  const places = points.map(({ rows, milliseconds }) => `${across.at(rows)},${up.at(milliseconds)}`);
  const last = points.at(-1);
  const label = last === undefined ? 0 : up.at(last.milliseconds) + 4;
  return (
    `<polyline points="${places.join(" ")}" fill="none" stroke="${colour}" stroke-width="2"/>` +
    places
      .map(
        (place) => `<circle cx="${place.split(",")[0]}" cy="${place.split(",")[1]}" r="3" fill="${colour}"/>`,
      )
      .join("") +
    `<text x="${width - right + 10}" y="${label}" fill="${colour}">${name}</text>`
  );
}
