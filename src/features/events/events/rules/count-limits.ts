/** Of people, and of their age in years. */
export const MAX_COUNT = 999_999
export const MAX_AGE = 999
/** Teams, requirements or units of a shift. The search for places would take minutes with thousands. */
export const MAX_ROWS = 200
