import { legalPageOf } from '#features/events/content-pages/rules.ts'
import type { ModuleName } from '#platform/features/modules.ts'
import type { ImportContext, TableMapper, Target } from './import-context.ts'
import { clean, cut, type SourceRow, text } from './values.ts'

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
      const title = clean(row.title).trim()
      if (title)
        context.omitValue({
          what: 'Titles of imprint and privacy page',
          why: 'the pages of the instance have a fixed heading in the language of the reader',
          detail: `${legal}: “${title}”`,
        })
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

const makeSetting = (name: string, value: string | boolean, context: ImportContext): Target => ({
  table: 'setting',
  values: { name, value: { json: JSON.stringify(value) }, changed_at: context.now },
})

/** Where a setting of ephios goes. */
type SettingPlace = {
  /** By words in its name, because names differ between releases. */
  name: RegExp
} & (
  | { setting: 'organization_name' | 'hide_local_sign_in' | 'redirect_to_provider' }
  /** Why it has no place here, and what to do instead. */
  | { omitted: (value: string) => string }
)

/** Where people find what a module of ephios was for. Names end like the names of its tables begin. */
const MODULES: Record<string, string> = {
  complexsignup: 'building blocks (Manage, Building blocks)',
  eventautoqualification: 'qualifications on the form of an event',
  federation: 'Manage, Federation',
  files: 'files of events (Manage, Files)',
  guests: 'guests on the page of an event',
  pages: 'Manage, Pages',
  qualification_management: 'Manage, Qualifications',
  questionnaires: 'Manage, Questions',
  simpleresource: 'Manage, Resources',
}

/** Modules of Turnout that do what a module of ephios did. */
const COUNTERPARTS: Record<string, ModuleName> = {
  eventautoqualification: 'qualification_requests',
  federation: 'federation',
  files: 'files',
  guests: 'guests',
  pages: 'content_pages',
  questionnaires: 'questionnaires',
  simpleresource: 'resources',
}

/** Modules that were switched on in ephios, from the value of its setting. */
export const enabledModules = (value: string): ModuleName[] =>
  (value.match(/[\w.]+/g) ?? []).flatMap((name) => COUNTERPARTS[moduleIn(name)] ?? [])

function describeModules(value: string): string {
  const names = value.match(/[\w.]+/g) ?? []
  const places = names.map((name) => `${name}: ${MODULES[moduleIn(name)] ?? moduleKind(name)}`)
  return places.length ? `. Switched on were: ${places.join('; ')}` : ''
}

/** `ephios.plugins.guests.apps.PluginApp` is the module `guests`. */
const moduleIn = (name: string): string => name.split('.').find((part) => part in MODULES) ?? ''

const moduleKind = (name: string): string =>
  name.startsWith('ephios.') || /^base/.test(name) ? 'part of events and shifts' : 'an extension, which does not exist here'

export const SETTING_PLACES: Record<string, SettingPlace> = {
  'name of the organisation': { name: /^organi[sz]ation_name$/, setting: 'organization_name' },
  'hide the sign-in form': { name: /hide.*(login|sign_?in)/, setting: 'hide_local_sign_in' },
  'redirect to the only identity provider': { name: /redirect.*provider/, setting: 'redirect_to_provider' },
  'enabled modules': {
    name: /enabled_(plugin|module)/,
    omitted: (value) =>
      `every module of ephios is part of Turnout; those that were switched on or have content are on (Manage, Modules)${describeModules(value)}`,
  },
  'repositories of qualifications': {
    name: /(fixture|repo|catalogue).*(url|repo|source|qualification)|qualification.*(url|repo|source|fixture)/,
    omitted: (value) =>
      `Turnout does not read catalogues from the internet; download the file and import it under Manage, Qualifications (${value})`,
  },
  'bookkeeping of background jobs': {
    name: /^last_(run|call)|periodic/,
    omitted: () => 'it is about background jobs of the old server',
  },
}

const placeOf = (row: SourceRow): SettingPlace | undefined =>
  Object.values(SETTING_PLACES).find(({ name }) => name.test(text(row.name).toLowerCase()))

const isTrue = (value: string): boolean => /^(true|yes|on|1)$/i.test(value)

export const SETTING_MAPPER: TableMapper = {
  source: 'dynamic_preferences_globalpreferencemodel',
  omit: (row, context) => {
    const place = placeOf(row)
    const [what, value] = [`Setting ${clean(row.name)}`, clean(row.raw_value).trim()]
    if (!place) return undefined
    if (place === SETTING_PLACES['enabled modules']) context.enabledModules.push(...enabledModules(value))
    if ('omitted' in place) return { what, why: place.omitted(value) }
    return value ? undefined : { what, why: 'it is empty' }
  },
  map: (row: SourceRow, context: ImportContext): Target[] => {
    const table = 'dynamic_preferences_globalpreferencemodel'
    const place = placeOf(row)
    if (!place || 'omitted' in place) {
      context.noteSkipped(table, row.id, `setting ${clean(row.name)} is not known; it may belong to an extension`)
      return []
    }
    if (!context.isUnique(table, row, place.setting)) return []
    const value = clean(row.raw_value).trim()
    if (place.setting !== 'organization_name') {
      if (place.setting === 'hide_local_sign_in') context.facts.hidesLocalSignIn = isTrue(value)
      return [makeSetting(place.setting, isTrue(value), context)]
    }
    const name = cut(value, MAX_NAME_LENGTH)
    if (name !== value) context.noteRepaired(table, row.id, `organisation name cut to ${MAX_NAME_LENGTH} characters`)
    return [makeSetting(place.setting, name, context)]
  },
}
