import { type Book, clean, cut, objectText, type SourceRow, type Step, type Target, text } from './book.ts'
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
    if (!row.datetime) {
      book.leftOut('modellogging_logentry', row.id, 'has no time')
      return []
    }
    const action = ACTIONS[text(row.action_type)] ?? 'changed'
    const isPerson = PERSONAL.has(model) || attached === 'core.userprofile'
    const data = objectText(row.data) ?? { json: '{}' }
    const values = {
      ...{ id: row.id!, at: row.datetime, kind: `imported.${action}` },
      ...{ actor_kind: row.user_id === null ? 'system' : 'user', actor_id: row.user_id ?? null },
      ...{ subject_kind: subjectOf(model), subject_id: row.content_object_id ?? null },
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

/** Settings of the whole instance. */
export const PREFERENCE_STEP: Step = {
  source: 'dynamic_preferences_globalpreferencemodel',
  take: (row: SourceRow, book: Book): Target[] => {
    if (row.name === 'organization_name' && text(row.raw_value).trim()) {
      const value = { json: JSON.stringify(text(row.raw_value).trim()) }
      return [{ table: 'setting', values: { name: 'organization_name', value, changed_at: book.now } }]
    }
    book.leftOut('dynamic_preferences_globalpreferencemodel', row.id, `${row.name}: a setting that has no place here yet`)
    return []
  },
}
