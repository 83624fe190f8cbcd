import "react";

/** React sets properties of a stylesheet's own too; its types know only those of CSS. */
declare module "react" {
  interface CSSProperties {
    [property: `--${string}`]: string | number | undefined;
  }
}
