import type { TableMapper } from './import-context.ts'
import type { PermissionNames } from './user-mappers.ts'
import { clean, cut, parseObject, parseTime, type SourceRow, text } from './values.ts'

const ACTIONS: Record<string, string> = { create: 'created', change: 'changed', delete: 'deleted' }
/** Log entries about these hold personal data, which is deleted with the user. */
const PERSONAL_MODELS = new Set(['core.userprofile', 'core.qualificationgrant', 'core.workinghours'])

/** The log of ephios becomes the beginning of the journal. */
export const makeJournalMapper = ({ contentTypes }: PermissionNames): TableMapper => ({
  source: 'modellogging_logentry',
  map: (row, context) => {
    const model = contentTypes.get(row.content_type_id as number) ?? ''
    const attached = contentTypes.get(row.attached_to_object_type_id as number) ?? ''
    if (parseTime(row.datetime) === undefined) {
      context.noteSkipped('modellogging_logentry', row.id, 'has no valid time')
      return []
    }
    const action = ACTIONS[text(row.action_type)] ?? 'changed'
    const isPerson = PERSONAL_MODELS.has(model) || attached === 'core.userprofile'
    const data = parseObject(row.data) ?? { json: '{}' }
    const values = {
      id: row.id!,
      at: text(row.datetime),
      kind: `imported.${action}`,
      actor_kind: row.user_id === null ? 'system' : 'user',
      actor_id: row.user_id ?? null,
      subject_kind: toSubjectKind(model),
      subject_id: row.content_object_id ?? null,
      event_id: attached === 'core.event' ? (row.attached_to_object_id ?? null) : null,
      request_id: row.request_id === null ? null : cut(clean(row.request_id), 100),
      changes: isPerson ? { json: '{}' } : data,
      person_id: isPerson ? findUserId(row, model, attached) : null,
      personal: isPerson ? data : null,
    }
    return [{ table: 'journal', values }]
  },
})

/** Subject kinds of the journal that differ from the model name. */
const SUBJECT_KINDS: Record<string, string> = {
  'core.userprofile': 'user',
  'auth.group': 'group',
  'core.eventtype': 'event_type',
  'core.localparticipation': 'participation',
  'core.placeholderparticipation': 'participation',
  'guests.guestparticipation': 'participation',
  'federation.federatedparticipation': 'participation',
  'complexsignup.buildingblock': 'building_block',
}

function toSubjectKind(model: string): string {
  const name = model.replace(/^\w+\./, '').toLowerCase()
  return SUBJECT_KINDS[model] ?? (/^[a-z]+(_[a-z]+)*$/.test(name) ? name : 'unknown')
}

function findUserId(row: SourceRow, model: string, attached: string): number | null {
  if (attached === 'core.userprofile') return row.attached_to_object_id as number | null
  return model === 'core.userprofile' ? (row.content_object_id as number | null) : null
}
