import type { Page } from '#platform/http/page.ts'
import type { CopyHook } from '../commands/copies.ts'
import type { TemplateHooks } from '../commands/templates.ts'
import { copyPages } from './copies.ts'
import { linkedPages } from './linked.ts'
import { monthPages } from './months.ts'
import { templatePages } from './templates.ts'

/** Both come from features above: they copy their own data with an event, and keep it in templates. */
export const seriesPages = ({
  copyHooks,
  templateHooks,
}: {
  copyHooks: readonly CopyHook[]
  templateHooks: TemplateHooks
}): Page[] => [...copyPages(copyHooks), ...linkedPages(copyHooks), ...monthPages(copyHooks), ...templatePages(templateHooks)]
