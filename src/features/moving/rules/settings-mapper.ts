import { legalPageOf } from '#features/pages/rules.ts'
import type { ImportContext, TableMapper, Target } from './import-context.ts'
import { clean, cut, type SourceRow } from './values.ts'

const MAX_LEGAL_LENGTH = 30_000
const MAX_CONTENT_LENGTH = 100_000
const MAX_TITLE_LENGTH = 250
const MAX_NAME_LENGTH = 100

/** The first public page with a usual slug becomes the imprint or privacy page of the settings; all others stay pages. */
export const PAGE_MAPPER: TableMapper = {
  source: 'pages_page',
  map: (row: SourceRow, context: ImportContext): Target[] => {
    const slug = cut(clean(row.slug).trim(), MAX_TITLE_LENGTH)
    const content = clean(row.content).trim()
    const legal = row.publicly_visible === true && content ? legalPageOf(slug) : undefined
    if (legal && context.isFirst('legal page', legal)) {
      if (content.length > MAX_LEGAL_LENGTH)
        context.noteRepaired('pages_page', row.id, `longer than ${MAX_LEGAL_LENGTH} characters, cut for the ${legal} page`)
      return [makeSetting(legal, cut(content, MAX_LEGAL_LENGTH), context)]
    }
    if (!slug) {
      context.noteSkipped('pages_page', row.id, 'has no slug')
      return []
    }
    if (!context.isUnique('pages_page', row, slug)) return []
    if (content.length > MAX_CONTENT_LENGTH)
      context.noteRepaired('pages_page', row.id, `longer than ${MAX_CONTENT_LENGTH} characters, cut`)
    const values = {
      id: row.id!,
      title: cut(clean(row.title).trim(), MAX_TITLE_LENGTH) || slug,
      slug,
      content: cut(content, MAX_CONTENT_LENGTH),
      in_footer: row.show_in_footer === true,
      is_public: row.publicly_visible === true,
    }
    return [{ table: 'content_page', values }]
  },
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
