import type { Page } from '#platform/http/page.ts'
import { copyPages } from './copies.ts'
import { linkedPages } from './linked.ts'
import { monthPages } from './months.ts'

export const seriesPages: Page[] = [...copyPages, ...linkedPages, ...monthPages]
