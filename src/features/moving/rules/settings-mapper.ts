import type { ImportContext, TableMapper, Target } from './import-context.ts'
import { clean, cut, type SourceRow, text } from './values.ts'

const LEGAL_PAGES: Record<string, RegExp> = {
  imprint: /^(imprint|impressum|legal-notice)$/i,
  privacy: /^(privacy|privacy-policy|data-protection|datenschutz|datenschutzerkl(ae|ä)rung)$/i,
}
const MAX_PAGE_LENGTH = 30_000
const MAX_NAME_LENGTH = 100

/** Imprint and privacy page become settings of the instance. All pages are also stored in `moved_in_row`. */
export function mapLegalPages(pages: readonly SourceRow[], context: ImportContext): Target[] {
  return Object.entries(LEGAL_PAGES).flatMap(([name, slug]) => {
    const page = pages.find((row) => row.publicly_visible === true && slug.test(text(row.slug)) && text(row.content).trim())
    if (!page) return []
    const content = cut(clean(page.content).trim(), MAX_PAGE_LENGTH)
    if (content.length < clean(page.content).trim().length)
      context.noteRepaired('pages_page', page.id, `longer than ${MAX_PAGE_LENGTH} characters, cut for the ${name} page`)
    return [makeSetting(name, content, context)]
  })
}

const makeSetting = (name: string, value: string, context: ImportContext): Target => ({
  table: 'setting',
  values: { name, value: { json: JSON.stringify(value) }, changed_at: context.now },
})

export const SETTING_MAPPER: TableMapper = {
  source: 'dynamic_preferences_globalpreferencemodel',
  map: (row: SourceRow, context: ImportContext): Target[] => {
    const name = clean(row.raw_value).trim()
    if (row.name === 'organization_name' && name && context.isFirst('organization_name')) {
      if (cut(name, MAX_NAME_LENGTH) !== name)
        context.noteRepaired(
          'dynamic_preferences_globalpreferencemodel',
          row.id,
          `organisation name cut to ${MAX_NAME_LENGTH} characters`,
        )
      return [makeSetting('organization_name', cut(name, MAX_NAME_LENGTH), context)]
    }
    context.noteSkipped('dynamic_preferences_globalpreferencemodel', row.id, `setting ${row.name} is not supported yet`)
    return []
  },
}
