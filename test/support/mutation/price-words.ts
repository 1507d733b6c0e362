import { priceOf } from './discount.ts'

export const writePrice = (count: number): string => `${priceOf(count, false)} €`
