import type { ReactNode } from "react";
import { Link } from "react-router";
import classes from "./status-row.module.css";

interface StatusRowProps {
  readonly name: string;
  readonly note?: string;
  /** Where the whole row leads, and what the link is called beyond the row's name. */
  readonly link?: { readonly to: string; readonly label: string };
  readonly children: ReactNode;
}

/** A named thing, a quiet note about it, and its state at the end of the line. */
export function StatusRow({ name, note, link, children }: StatusRowProps) {
  return (
    <div className={classes.row}>
      <div>
        <div className={classes.name}>
          {link === undefined ? (
            name
          ) : (
            <Link to={link.to} aria-label={link.label} className={classes.link ?? ""}>
              {name}
            </Link>
          )}
        </div>
        {note === undefined || note === "" ? null : <div className={classes.note}>{note}</div>}
      </div>
      {children}
    </div>
  );
}
