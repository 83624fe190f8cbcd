/** Names the installation, in the life that a restore begins anew, on every answer under /api. */
export const epochHeader = "x-stocktake-epoch";
