import { z } from 'zod'
import { hasPermission } from '#platform/auth/actor.ts'
import type { RequestContext, WriteContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, writeEndpoint } from '#platform/http/endpoint.ts'
import { type InputError, Problem, requireFound } from '#platform/http/problem.ts'
import { bodyLine } from '#platform/single-line.ts'
import { archiveEventType, changeEventType, createEventType, deleteEventType, restoreEventType } from '../commands/event-types.ts'
import { type EventType, findTypeChoices, getEventType, getTypeRow } from '../queries/event-types.ts'
import { eventTypeRecord } from '../schema/event-types.ts'
import { presentEventType } from './reads.ts'

const MAX_IDS = 2_000
const ids = z.array(z.int()).max(MAX_IDS)

/** The limits of the form. */
const fields = {
  title: bodyLine.min(1).max(254),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i)
    .transform((value) => value.toLowerCase())
    .describe('Six hexadecimal digits after #'),
  show_participant_data: z.int().min(0).max(3).describe('As in the record'),
  default_description: z
    .string()
    .max(20_000)
    .nullable()
    .transform((value) => value?.replaceAll('\r\n', '\n').trim() || null),
  required_qualifications: ids.describe('Ids; participants need all of them'),
  visible_for_all_groups: z.boolean().describe('false needs audience_groups'),
  audience_groups: ids.describe('Ids of the groups that see new events, if not all do'),
  responsible_groups: ids.describe('Ids of the groups that are responsible for new events'),
  responsible_users: ids.describe('Ids of the people who are responsible for new events'),
}
const { title, ...others } = fields
const settings = z.object(others).partial().shape

const newTypeBody = z.strictObject({ title, ...settings }).meta({ example: { title: 'Exercise', color: '#1d6f42' } })
const typeBody = z
  .strictObject({
    title: title.optional(),
    ...settings,
    archived: z.boolean().optional().describe('Archived types are not offered for new events; existing events keep them'),
  })
  .meta({ example: { required_qualifications: [1] } })
type TypeBody = z.infer<typeof typeBody>

const tag = 'event-types'
const TYPE = { description: 'The event type', schema: eventTypeRecord, access: scope('PUBLIC_READ') }

async function present(context: RequestContext, id: number): Promise<object | undefined> {
  const row = await getTypeRow(context, id)
  return row && presentEventType(row, context)
}

export const eventTypeWrites: Endpoint[] = [
  writeEndpoint({
    method: 'POST',
    path: '/api/event-types/',
    access: scope('PUBLIC_WRITE', 'add_event_type'),
    name: 'Event Type List',
    operationId: 'event_types_create',
    tag,
    summary: 'Create an event type',
    description: 'The title is enough. Other settings need the permission to change event types, too.',
    body: newTypeBody,
    responses: { 201: TYPE },
    perform: async (context, _path, body) => {
      const { title: _title, ...more } = body
      const isConfigured = Object.keys(more).length > 0
      if (isConfigured && !hasPermission(context.actor, 'change_event_type')) throw new Problem('permission_denied')
      const id = await createEventType(context, body)
      if (isConfigured) await change(context, id, body)
      const headers = { location: `${context.site.url}/api/event-types/${id}/` }
      return { status: 201, body: await present(context, id), headers }
    },
  }),
  writeEndpoint({
    method: 'PATCH',
    path: '/api/event-types/{id}/',
    access: scope('PUBLIC_WRITE', 'change_event_type'),
    name: 'Event Type Instance',
    operationId: 'event_types_update',
    tag,
    summary: 'Change, archive or restore an event type',
    description: 'Keys that are absent stay as they are. New settings apply to new events.',
    body: typeBody,
    target: (context, { id }) => present(context, id),
    responses: { 200: TYPE },
    perform: async (context, { id }, { archived, ...body }) => {
      if (Object.keys(body).length) await change(context, id, body)
      const isArchived = (await getEventType(context.db, id))?.archivedAt != null
      if (archived !== undefined && archived !== isArchived)
        await (archived ? archiveEventType(context, id) : restoreEventType(context, id))
      return { status: 200, body: await present(context, id) }
    },
  }),
  writeEndpoint({
    method: 'DELETE',
    path: '/api/event-types/{id}/',
    access: scope('PUBLIC_WRITE', 'delete_event_type'),
    name: 'Event Type Instance',
    operationId: 'event_types_delete',
    tag,
    summary: 'Delete an event type that no event uses',
    description: 'A type that events use, also drafts and deleted ones, is refused with `in_use`.',
    target: (context, { id }) => present(context, id),
    responses: { 204: { description: 'Deleted' } },
    perform: async (context, { id }) => {
      const outcome = await deleteEventType(context, id)
      if (outcome.ok) return { status: 204 }
      if (outcome.reason === 'gone') throw new Problem('not_found')
      const { eventCount = 0 } = (await getEventType(context.db, id)) ?? {}
      const detail = context.words.t('event_type.delete_used', { count: eventCount })
      throw new Problem('refused', { errors: [{ code: outcome.reason, detail }] })
    },
  }),
]

async function change(context: WriteContext, id: number, body: Omit<TypeBody, 'archived'>): Promise<void> {
  const stored = requireFound(await getEventType(context.db, id))
  const isForAll = body.visible_for_all_groups ?? stored.visibleForAllGroups
  const form = {
    version: stored.version,
    title: body.title ?? stored.title,
    color: body.color ?? stored.color,
    show_participant_data: body.show_participant_data ?? stored.showParticipantData,
    default_description: body.default_description === undefined ? stored.defaultDescription : body.default_description,
    audience: isForAll ? ('all' as const) : ('chosen' as const),
    audience_groups: unique(body.audience_groups ?? stored.audienceGroups),
    responsible_groups: unique(body.responsible_groups ?? stored.responsibleGroups),
    responsible_users: unique(body.responsible_users ?? stored.responsibleUsers),
    required_qualifications: unique(body.required_qualifications ?? stored.requiredQualifications),
  }
  const errors = await checkChoices(context, body, stored)
  if (!isForAll && !form.audience_groups.length)
    errors.push({ pointer: '/audience_groups', code: 'audience_missing', detail: context.words.t('event_type.audience_missing') })
  if (errors.length) throw new Problem('invalid_input', { errors })
  const outcome = await changeEventType(context, id, form)
  if (outcome.ok) return
  if (outcome.reason === 'gone') throw new Problem('not_found')
  // Somebody else changed the type, or deleted a choice, since it was read.
  throw new Problem('conflict', { headers: { 'retry-after': '1' } })
}

const unique = (list: readonly number[]): number[] => [...new Set(list)]

/** Ids that do not exist, with a pointer to each. */
async function checkChoices({ db, words }: WriteContext, body: TypeBody, stored: EventType): Promise<InputError[]> {
  const { groups, qualifications, people } = await findTypeChoices(db, body.responsible_users ?? [])
  const idsOf = (choices: readonly { id: number }[]) => new Set(choices.map(({ id }) => id))
  const detail = words.t('event_type.unknown_choice')
  const lists = [
    { key: 'audience_groups', known: idsOf(groups), kept: stored.audienceGroups },
    { key: 'responsible_groups', known: idsOf(groups), kept: stored.responsibleGroups },
    { key: 'responsible_users', known: idsOf(people), kept: stored.responsibleUsers },
    { key: 'required_qualifications', known: idsOf(qualifications), kept: stored.requiredQualifications },
  ] as const
  return lists.flatMap(({ key, known, kept }) =>
    (body[key] ?? []).flatMap((id, index) =>
      known.has(id) || kept.includes(id) ? [] : [{ pointer: `/${key}/${index}`, code: 'unknown_choice', detail }],
    ),
  )
}
