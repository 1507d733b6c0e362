import type { Reason } from '#features/staffing/staffing/rules/model.ts'

/** Bounds the work for one person and day; the page says so. */
export const MAX_OFFERS = 60

/** Nothing speaks against the person; warnings do not count. */
export const fitsOffer = ({ hints }: { hints: readonly Reason[] }): boolean => hints.length === 0
