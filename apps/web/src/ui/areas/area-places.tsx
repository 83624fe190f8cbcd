import { Checkbox } from "@mantine/core";
import { areaText } from "../formats.ts";
import classes from "./area-places.module.css";

/** A location and its areas, as far as one chooses among them. */
export interface Place {
  readonly location: { readonly _id: string; readonly name: string };
  readonly areas: readonly {
    readonly _id: string;
    readonly code: string;
    readonly name: string;
    /** Below the area, where there is something to say about it. */
    readonly note?: string;
  }[];
}

interface PlaceAreasProps extends Place {
  readonly chosen: ReadonlySet<string>;
  readonly onToggle: (ids: readonly string[], on: boolean) => void;
}

/** Areas of a location to choose from, one by one or all of them. */
export function PlaceAreas({ location, areas, chosen, onToggle }: PlaceAreasProps) {
  const ids = areas.map(({ _id }) => _id);
  const on = ids.filter((id) => chosen.has(id)).length;
  return (
    <fieldset className={classes.location}>
      <legend>
        <Checkbox
          label={location.name}
          checked={on === ids.length}
          indeterminate={on > 0 && on < ids.length}
          onChange={({ currentTarget }) => onToggle(ids, currentTarget.checked)}
        />
      </legend>
      <div className={classes.choices}>
        {areas.map(({ _id, code, name, note }) => (
          <Checkbox
            key={_id}
            label={areaText(code, name)}
            description={note}
            checked={chosen.has(_id)}
            onChange={({ currentTarget }) => onToggle([_id], currentTarget.checked)}
          />
        ))}
      </div>
    </fieldset>
  );
}
