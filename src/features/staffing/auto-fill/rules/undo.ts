/** How long a run can be undone. */
export const UNDO_HOURS = 24
