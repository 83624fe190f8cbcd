import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

/** The accent: a deep ink green, #0B5D4E at 7. White on it is 7.6 : 1; 3 on the dark background is 8.9 : 1. */
const ink: MantineColorsTuple = [
  "#eaf6f3",
  "#d3ebe5",
  "#a5d8cc",
  "#7fc9b8",
  "#4fae9a",
  "#2a937e",
  "#147362",
  "#0b5d4e",
  "#084a3e",
  "#05372e",
];

const gray: MantineColorsTuple = [
  "#f8f9f8",
  "#f1f3f2",
  "#e6e9e8",
  "#d8dcdb",
  "#c3c8c6",
  "#a3a9a7",
  "#7c8381",
  "#545b59",
  "#363c3a",
  "#1d2220",
];

const dark: MantineColorsTuple = [
  "#e3e7e5",
  "#b7bebb",
  "#98a09d",
  "#6e7673",
  "#4a514e",
  "#373d3b",
  "#292f2d",
  "#1e2321",
  "#161918",
  "#0f1211",
];

/** Danger: white on 7 is 6.5 : 1, on 6 (the dark scheme's) 5.2 : 1. */
const red: MantineColorsTuple = [
  "#fdecea",
  "#fbd5d1",
  "#f7b0a9",
  "#ff9c94",
  "#f08379",
  "#dd5b50",
  "#c43d33",
  "#b3261e",
  "#8f1d17",
  "#6d1511",
];

/** The typeface, and what takes its room until it has come (index.html). */
const inter = "'Inter Variable', 'Inter Fallback', 'Inter Fallback Android'";

const spacing = { xs: "0.5rem", sm: "1rem", md: "1.5rem", lg: "2rem", xl: "3rem" };

/** Mantine's theme for every page: one accent, neutral greys, an 8-px grid, targets of at least 44 px. */
export const theme = createTheme({
  colors: { ink, gray, dark, red },
  primaryColor: "ink",
  primaryShade: { light: 7, dark: 6 },
  black: "#1d2220",
  fontFamily: `${inter}, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif`,
  headings: { fontFamily: `${inter}, system-ui, sans-serif`, fontWeight: "650" },
  spacing,
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: "md" } },
    // Room between a label and the ring around its focused field.
    InputWrapper: {
      styles: { label: { marginBottom: "0.375rem" }, description: { marginBottom: "0.375rem" } },
    },
    TextInput: { defaultProps: { size: "md" } },
    NativeSelect: { defaultProps: { size: "md" } },
    Textarea: { defaultProps: { size: "md" } },
    // Modal.Root is what the dialogs are made of; Modal itself is not used.
    ModalRoot: {
      defaultProps: { centered: true, padding: "md", radius: "lg", transitionProps: { duration: 120 } },
    },
    Checkbox: { defaultProps: { size: "md" } },
    Radio: { defaultProps: { size: "md" } },
    Switch: { defaultProps: { size: "md" } },
    Card: { defaultProps: { padding: "md", radius: "lg", withBorder: true } },
  },
});

/** Where Mantine's own greys and reds miss 4.5 : 1 on this product's backgrounds, darker or lighter ones. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    "--stocktake-content-width": "90rem",
  },
  light: {
    "--mantine-color-body": "#ffffff",
    "--mantine-color-dimmed": gray[7] ?? "",
    "--mantine-color-placeholder": gray[6] ?? "",
    "--mantine-color-error": "#b3261e",
    "--mantine-color-anchor": ink[7] ?? "",
    "--mantine-color-ink-light-color": ink[7] ?? "",
    "--mantine-color-red-light-color": red[7] ?? "",
    "--mantine-color-default-border": gray[3] ?? "",
    "--stocktake-ground": "#fafbfa",
    "--stocktake-line": gray[2] ?? "",
    "--stocktake-quiet": gray[0] ?? "",
    "--stocktake-positive": "#1a6b2e",
    "--stocktake-negative": "#b3261e",
    "--stocktake-warning": "#7a4f00",
    "--stocktake-info": "#0b5394",
    "--stocktake-positive-ground": "#e8f5eb",
    "--stocktake-negative-ground": "#fcecea",
    "--stocktake-warning-ground": "#fdf3dc",
    "--stocktake-info-ground": "#e8f1fa",
    "--stocktake-neutral-ground": gray[1] ?? "",
  },
  dark: {
    "--mantine-color-body": dark[8] ?? "",
    "--mantine-color-dimmed": dark[1] ?? "",
    "--mantine-color-placeholder": dark[2] ?? "",
    "--mantine-color-error": "#ff9c94",
    "--mantine-color-anchor": ink[3] ?? "",
    "--mantine-color-ink-light-color": ink[3] ?? "",
    "--mantine-color-ink-light": "rgb(42 147 126 / 18%)",
    "--mantine-color-ink-light-hover": "rgb(42 147 126 / 26%)",
    "--mantine-color-red-light-color": red[3] ?? "",
    "--mantine-color-default": dark[7] ?? "",
    "--mantine-color-default-border": dark[5] ?? "",
    "--stocktake-ground": dark[9] ?? "",
    "--stocktake-line": dark[6] ?? "",
    "--stocktake-quiet": dark[7] ?? "",
    "--stocktake-positive": "#7fd493",
    "--stocktake-negative": "#ff9c94",
    "--stocktake-warning": "#f2c368",
    "--stocktake-info": "#8fc3f5",
    "--stocktake-positive-ground": "#17301d",
    "--stocktake-negative-ground": "#3a1d1b",
    "--stocktake-warning-ground": "#362a12",
    "--stocktake-info-ground": "#152a3d",
    "--stocktake-neutral-ground": dark[6] ?? "",
  },
});
