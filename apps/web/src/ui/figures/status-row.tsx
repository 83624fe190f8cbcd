import type { ReactNode } from "react";
import classes from "./status-row.module.css";

/** A named thing, a quiet note about it, and its state at the end of the line. */
export function StatusRow({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <div className={classes.row}>
      <div>
        <div className={classes.name}>{name}</div>
        {note === undefined || note === "" ? null : <div className={classes.note}>{note}</div>}
      </div>
      {children}
    </div>
  );
}
