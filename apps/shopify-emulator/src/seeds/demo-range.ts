/** One garment of the demo brand in its colours and sizes; costs are in cents. */
export interface Style {
  readonly name: string;
  readonly code: string;
  readonly garment: string;
  readonly sizes: readonly string[];
  readonly colours: readonly string[];
  readonly cost: number;
}

const LETTERS = ["XS", "S", "M", "L", "XL", "XXL"];
const ALL_LETTERS = ["XXS", "XS", "S", "M", "L", "XL", "XXL", "XXXL"];
const WAIST = ["28", "29", "30", "31", "32", "33", "34", "36"];
const DRESS = ["4", "6", "8", "10", "12", "14", "16"];
const SHOE = ["36", "37", "38", "39", "40", "41", "42", "43", "44"];
const FEW = ["S", "M", "L"];
const ONE = ["One Size"];

/** The colours by name, with the code that stands in SKUs and the tint of the drawings. */
export const COLOURS: Readonly<Record<string, { readonly code: string; readonly tint: string }>> = {
  Chalk: { code: "CHA", tint: "#ece7dc" },
  Ink: { code: "INK", tint: "#28323f" },
  Moss: { code: "MOS", tint: "#626e4c" },
  Rust: { code: "RUS", tint: "#a9583b" },
  Sky: { code: "SKY", tint: "#9cb7cb" },
  Sand: { code: "SAN", tint: "#cbb591" },
  Brick: { code: "BRI", tint: "#8e4034" },
  Plum: { code: "PLU", tint: "#5d3b53" },
  Oat: { code: "OAT", tint: "#d8ccb4" },
  Slate: { code: "SLA", tint: "#67737d" },
  Mustard: { code: "MUS", tint: "#c69832" },
  Indigo: { code: "IND", tint: "#34466c" },
};

function style(
  name: string,
  code: string,
  garment: string,
  sizes: readonly string[],
  colours: readonly string[],
  cost: number,
): Style {
  return { name, code, garment, sizes, colours, cost };
}

/** The range of Linden Quay, a clothing brand that does not exist. */
export const RANGE: readonly Style[] = [
  style("Tern Tee", "TERN", "tee", ALL_LETTERS, ["Chalk", "Ink", "Moss"], 640),
  style("Plover Long Sleeve", "PLOV", "longsleeve", LETTERS, ["Chalk", "Rust"], 980),
  style("Quay Oxford Shirt", "QUAY", "shirt", ALL_LETTERS, ["Sky", "Chalk"], 1850),
  style("Wharf Linen Shirt", "WHAR", "shirt", ALL_LETTERS, ["Sand", "Moss"], 2120),
  style("Skiff Flannel Shirt", "SKIF", "shirt", LETTERS, ["Brick"], 1990),
  style("Heron Blouse", "HERO", "blouse", DRESS, ["Chalk", "Plum"], 1760),
  style("Cooper Cable Jumper", "COOP", "jumper", ALL_LETTERS, ["Oat", "Ink"], 3240),
  style("Mooring Lambswool Crew", "MOOR", "jumper", ALL_LETTERS, ["Moss", "Rust", "Slate"], 2890),
  style("Ferry Cardigan", "FERR", "cardigan", LETTERS, ["Oat", "Plum"], 3080),
  style("Dockside Hoodie", "DOCK", "hoodie", ALL_LETTERS, ["Slate", "Rust"], 2240),
  style("Slipway Sweatshirt", "SLIP", "longsleeve", ALL_LETTERS, ["Oat", "Ink"], 1780),
  style("Harbour Rain Jacket", "HARB", "jacket", ALL_LETTERS, ["Mustard", "Ink"], 5460),
  style("Boathouse Chore Jacket", "BOAT", "jacket", ALL_LETTERS, ["Indigo", "Sand"], 4120),
  style("Beacon Parka", "BEAC", "coat", ALL_LETTERS, ["Moss"], 7890),
  style("Lantern Quilted Vest", "LANT", "vest", LETTERS, ["Slate", "Brick"], 3350),
  style("Pilot Wool Coat", "PILO", "coat", LETTERS, ["Slate"], 9640),
  style("Linden Chino", "LIND", "trousers", WAIST, ["Sand", "Moss", "Ink"], 2360),
  style("Mill Jean Straight", "MILS", "trousers", WAIST, ["Indigo", "Ink"], 2780),
  style("Mill Jean Slim", "MILT", "trousers", WAIST, ["Indigo"], 2780),
  style("Keel Wide Trousers", "KEEL", "trousers", DRESS, ["Oat", "Ink"], 2640),
  style("Jetty Shorts", "JETT", "shorts", ALL_LETTERS, ["Sand", "Sky"], 1420),
  style("Sail Midi Skirt", "SAIL", "skirt", DRESS, ["Rust", "Ink"], 2050),
  style("Estuary Dress", "ESTU", "dress", DRESS, ["Plum", "Moss"], 3120),
  style("Marsh Shirt Dress", "MARS", "dress", DRESS, ["Sky"], 3380),
  style("Tiller Canvas Sneaker", "TILL", "shoe", SHOE, ["Chalk", "Ink"], 2460),
  style("Cobble Boot", "COBB", "boot", SHOE, ["Brick"], 5980),
  style("Ribbed Socks", "RIBB", "socks", FEW, ["Oat", "Rust", "Moss"], 310),
  style("Watch Beanie", "WATC", "beanie", ONE, ["Rust", "Ink", "Mustard"], 690),
  style("Fog Scarf", "FOGS", "scarf", ONE, ["Oat", "Slate"], 1340),
  style("Chandler Tote", "CHAN", "tote", ONE, ["Sand", "Indigo"], 880),
  style("Bridle Belt", "BRID", "belt", ["S", "M", "L", "XL"], ["Brick"], 1180),
];
