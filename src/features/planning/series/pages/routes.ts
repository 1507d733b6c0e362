import type { Page } from '#platform/http/page.ts'
import type { CopyHook } from '../commands/copies.ts'
import { copyPages } from './copies.ts'
import { linkedPages } from './linked.ts'
import { monthPages } from './months.ts'

/** `copyHooks` come from features above: they copy their own data with an event. */
export const seriesPages = (copyHooks: readonly CopyHook[]): Page[] => [
  ...copyPages(copyHooks),
  ...linkedPages(copyHooks),
  ...monthPages(copyHooks),
]
