/** Of people, and of their age in years. */
export const MAX_COUNT = 999_999
export const MAX_AGE = 999
