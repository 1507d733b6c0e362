import { type Book, clean, cut, instant, objectText, type SourceRow, type Step, type Target, text } from './book.ts'
import type { Names } from './steps-people.ts'

const ACTIONS: Record<string, string> = { create: 'created', change: 'changed', delete: 'deleted' }
/** What a log says about these is about a person, and goes with that person. */
const PERSONAL = new Set(['core.userprofile', 'core.qualificationgrant', 'core.workinghours'])

/** The log of the other program becomes the beginning of ours. */
export const logStep = ({ contentTypes }: Names): Step => ({
  source: 'modellogging_logentry',
  take: (row, book) => {
    const model = contentTypes.get(row.content_type_id as number) ?? ''
    const attached = contentTypes.get(row.attached_to_object_type_id as number) ?? ''
    if (instant(row.datetime) === undefined) {
      book.leftOut('modellogging_logentry', row.id, 'has no time')
      return []
    }
    const action = ACTIONS[text(row.action_type)] ?? 'changed'
    const isPerson = PERSONAL.has(model) || attached === 'core.userprofile'
    const data = objectText(row.data) ?? { json: '{}' }
    const values = {
      id: row.id!,
      at: text(row.datetime),
      kind: `imported.${action}`,
      actor_kind: row.user_id === null ? 'system' : 'user',
      actor_id: row.user_id ?? null,
      subject_kind: subjectOf(model),
      subject_id: row.content_object_id ?? null,
      event_id: attached === 'core.event' ? (row.attached_to_object_id ?? null) : null,
      request_id: row.request_id === null ? null : cut(clean(row.request_id), 100),
      changes: isPerson ? { json: '{}' } : data,
      person_id: isPerson ? personOf(row, model, attached) : null,
      personal: isPerson ? data : null,
    }
    return [{ table: 'journal', values }]
  },
})

/** In our own words where we have one. */
const SUBJECTS: Record<string, string> = {
  'core.userprofile': 'user',
  'auth.group': 'group',
  'core.eventtype': 'event_type',
  'core.localparticipation': 'participation',
  'core.placeholderparticipation': 'participation',
  'guests.guestparticipation': 'participation',
  'federation.federatedparticipation': 'participation',
  'complexsignup.buildingblock': 'building_block',
}

function subjectOf(model: string): string {
  const name = model.replace(/^\w+\./, '').toLowerCase()
  return SUBJECTS[model] ?? (/^[a-z]+(_[a-z]+)*$/.test(name) ? name : 'unknown')
}

function personOf(row: SourceRow, model: string, attached: string): number | null {
  if (attached === 'core.userprofile') return row.attached_to_object_id as number | null
  return model === 'core.userprofile' ? (row.content_object_id as number | null) : null
}

const LEGAL: Record<string, RegExp> = {
  imprint: /^(imprint|impressum|legal-notice)$/i,
  privacy: /^(privacy|privacy-policy|data-protection|datenschutz|datenschutzerkl(ae|ä)rung)$/i,
}
const LONGEST_PAGE = 30_000
const LONGEST_NAME = 100

/** Imprint and privacy, which stand under every page; all pages are kept as they are beside that. */
export function legalPages(pages: readonly SourceRow[], book: Book): Target[] {
  return Object.entries(LEGAL).flatMap(([name, slug]) => {
    const page = pages.find((row) => row.publicly_visible === true && slug.test(text(row.slug)) && text(row.content).trim())
    if (!page) return []
    const content = cut(clean(page.content).trim(), LONGEST_PAGE)
    if (content.length < clean(page.content).trim().length)
      book.repaired('pages_page', page.id, `is longer than ${LONGEST_PAGE} characters; the beginning became the ${name} page`)
    return [settingOf(name, content, book)]
  })
}

const settingOf = (name: string, value: string, book: Book): Target => ({
  table: 'setting',
  values: { name, value: { json: JSON.stringify(value) }, changed_at: book.now },
})

/** Settings of the whole instance. */
export const PREFERENCE_STEP: Step = {
  source: 'dynamic_preferences_globalpreferencemodel',
  take: (row: SourceRow, book: Book): Target[] => {
    const name = clean(row.raw_value).trim()
    if (row.name === 'organization_name' && name && book.isFirst('organization_name')) {
      if (cut(name, LONGEST_NAME) !== name)
        book.repaired('dynamic_preferences_globalpreferencemodel', row.id, 'is a long name of the organisation; it was cut')
      return [settingOf('organization_name', cut(name, LONGEST_NAME), book)]
    }
    book.leftOut('dynamic_preferences_globalpreferencemodel', row.id, `${row.name}: a setting that has no place here yet`)
    return []
  },
}
