import { type ImportedAction, readImportedEntry } from '#features/operations/audit-log/rules/imported-entries.ts'
import type { FormerJournalKinds } from '#platform/journal/kinds.ts'
import type { ImportContext, TableMapper } from './import-context.ts'
import type { PermissionNames } from './permission-mappers.ts'
import { clean, cut, parseObject, parseTime, type SourceRow, text, toStorableJson } from './values.ts'

const ACTIONS: Record<string, ImportedAction> = { create: 'created', change: 'changed', delete: 'deleted' }
const PERSON = 'core.userprofile'
const PARTICIPATION = 'core.localparticipation'
/** Log entries about these hold personal data, which is deleted with the user. */
const PERSONAL_MODELS = new Set([PERSON, PARTICIPATION, 'core.qualificationgrant', 'core.workinghours', 'core.consequence'])

/** The log of ephios becomes the beginning of the journal. */
export const makeJournalMapper = ({ contentTypes }: PermissionNames): TableMapper => {
  const modelOf = (id: unknown): string => contentTypes.get(id as number) ?? ''
  return {
    source: 'modellogging_logentry',
    map: (row, context) => {
      const [model, attached] = [modelOf(row.content_type_id), modelOf(row.attached_to_object_type_id)]
      if (parseTime(row.datetime) === undefined) {
        context.noteSkipped('modellogging_logentry', row.id, 'has no valid time')
        return []
      }
      const action = ACTIONS[text(row.action_type)] ?? 'changed'
      const isPersonal = PERSONAL_MODELS.has(model) || attached === PERSON
      const data = JSON.parse(parseObject(row.data)?.json ?? '{}') as Data
      const people = {
        isPersonType: (type: unknown) => modelOf(type) === PERSON,
        isKnown: (id: number) => context.has('userprofile', id),
      }
      const changes = { json: toStorableJson(JSON.stringify(readImportedEntry(data, action, people))) }
      const values = {
        id: row.id!,
        at: text(row.datetime),
        kind: `imported.${action}` satisfies keyof FormerJournalKinds,
        actor_kind: row.user_id === null ? 'system' : 'user',
        actor_id: row.user_id ?? null,
        subject_kind: toSubjectKind(model),
        subject_id: row.content_object_id ?? null,
        event_id: attached === 'core.event' ? (row.attached_to_object_id ?? null) : null,
        request_id: row.request_id === null ? null : cut(clean(row.request_id), 100),
        changes: isPersonal ? { json: '{}' } : changes,
        person_id: isPersonal ? findUserId({ row, model, attached, data }, context) : null,
        personal: isPersonal ? changes : null,
      }
      return [{ table: 'journal', values }]
    },
  }
}

type Data = Record<string, unknown>

/** Subject kinds of the journal that differ from the model name. */
const SUBJECT_KINDS: Record<string, string> = {
  'api.application': 'oauth_application',
  'auth.group': 'group',
  'complexsignup.buildingblock': 'building_block',
  'core.eventtype': 'event_type',
  'core.identityprovider': 'identity_provider',
  'core.localparticipation': 'participation',
  'core.placeholderparticipation': 'participation',
  'core.qualificationcategory': 'qualification_category',
  'core.qualificationgrant': 'qualification_grant',
  'core.userprofile': 'user',
  'core.workinghours': 'working_hours',
  'federation.federatedguest': 'federated_guest',
  'federation.federatedhost': 'federated_host',
  'federation.federatedparticipation': 'participation',
  'federation.federateduser': 'visitor',
  'federation.invitecode': 'invite_code',
  'files.document': 'attachment',
  'guests.guestparticipation': 'participation',
  'guests.guestuser': 'guest',
  'simpleresource.resourcecategory': 'resource_category',
}

function toSubjectKind(model: string): string {
  const name = model.replace(/^\w+\./, '').toLowerCase()
  return SUBJECT_KINDS[model] ?? (/^[a-z]+(_[a-z]+)*$/.test(name) ? name : 'unknown')
}

type Entry = { row: SourceRow; model: string; attached: string; data: Data }

/** Whom the entry is about: the person, or the one that the field `user` of the record names. */
function findUserId({ row, model, attached, data }: Entry, context: ImportContext): number | null {
  if (attached === PERSON) return row.attached_to_object_id as number | null
  if (model === PERSON) return row.content_object_id as number | null
  const participant = model === PARTICIPATION ? context.userOfParticipation.get(row.content_object_id as number) : undefined
  return participant ?? userIn(data) ?? null
}

function userIn(data: Data): number | undefined {
  for (const part of Object.values(data)) {
    const field = (part as { data?: Data } | null)?.data
    if (field?.field_name !== 'user') continue
    for (const value of [field.new_value, field.old_value]) {
      const id = Number((value as Data | null)?.pk ?? Number.NaN)
      if (Number.isSafeInteger(id)) return id
    }
  }
  return undefined
}
