import { memo, type ReactNode } from "react";
import { Section } from "../../../ui/section.tsx";
import classes from "./how-to.module.css";

/** A picture of the product's own, on a 48 grid; decoration, the text beside it has the same content. */
function Picture({ children }: { children: ReactNode }) {
  return (
    <svg className={classes.picture} viewBox="0 0 48 48" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

const bars = "M14 18v12M18 18v12M21 18v12M26 18v12M29 18v12M34 18v12";

const steps: readonly { readonly text: string; readonly picture: ReactNode }[] = [
  {
    text: "Select your store, location and area.",
    picture: (
      <Picture>
        <path d="M7 20 10 9h28l3 11M9 20v20h30V20M7 20h34M20 40V29h8v11" />
      </Picture>
    ),
  },
  {
    text: "Sync the products, so that you can count offline.",
    picture: (
      <Picture>
        <rect x="14" y="5" width="20" height="38" rx="4" />
        <path d="M24 13v15M18 23l6 6 6-6M21 37h6" />
      </Picture>
    ),
  },
  {
    text: "Press Start Counting Area and scan every item once.",
    picture: (
      <Picture>
        <path d={bars} />
        <path d="M7 15V9h6M35 9h6v6M41 33v6h-6M13 39H7v-6" />
        <path className={classes.accent} d="M5 24h38" />
      </Picture>
    ),
  },
  {
    text: "When the area is done, press Finish Area and enter how many items you think you scanned.",
    picture: (
      <Picture>
        <path d="M12 8h24v32H12Z" />
        <path className={classes.accent} d="M18 25l5 5 8-10" />
      </Picture>
    ),
  },
  {
    text: "If the number does not match, count the area again from the beginning.",
    picture: (
      <Picture>
        <path d="M38 24a14 14 0 1 1-4-10" />
        <path className={classes.accent} d="M35 6v9h-9" />
      </Picture>
    ),
  },
];

/** How an area is counted, in five steps. */
export const HowTo = memo(function HowTo() {
  return (
    <Section title="How to count">
      <ol className={classes.steps} aria-label="How to count">
        {steps.map(({ text, picture }) => (
          <li key={text} className={classes.step}>
            {picture}
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
});
