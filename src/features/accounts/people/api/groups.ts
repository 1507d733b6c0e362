import { z } from 'zod'
import { lockGroup } from '#features/accounts/users/commands/locks.ts'
import { findListedIds } from '#features/accounts/users/queries/profiles.ts'
import { groupState } from '#features/accounts/users/rules.ts'
import { type GroupForm, groupForm, groupRecord } from '#features/accounts/users/schema.ts'
import type { WriteContext } from '#platform/auth/context.ts'
import { checkPermission, scope } from '#platform/http/access.ts'
import { type Endpoint, type WriteAnswer, writeEndpoint } from '#platform/http/endpoint.ts'
import { parseLikeForm } from '#platform/http/form-errors.ts'
import { type InputError, Problem, requireFound } from '#platform/http/problem.ts'
import { addMembers, changeGroup, createGroup, deleteGroup, type GroupRefusal, removeMembers } from '../commands/groups.ts'
import { type GroupWithBundles, getGroup } from '../queries/groups.ts'
import { presentGroupOf } from './reads.ts'

const nameBody = z
  .strictObject({ name: z.string().meta({ minLength: 1, maxLength: 150 }) })
  .meta({ example: { name: 'Helpers' } })
const membersBody = z
  .strictObject({ users: z.array(z.int().positive()).min(1).max(1_000).describe('Ids of people') })
  .meta({ example: { users: [7, 12] } })

const tag = 'groups'
const RECORD = { description: 'The group', schema: groupRecord, access: scope('CONFIDENTIAL_READ', 'view_group') }
const PERMISSIONS = 'Needs the permission `view_group`, too. What members may do is chosen on the pages only.'

export const groupWrites: Endpoint[] = [
  writeEndpoint({
    method: 'POST',
    path: '/api/groups/',
    access: scope('CONFIDENTIAL_WRITE', 'add_group'),
    name: 'Group List',
    operationId: 'groups_create',
    tag,
    summary: 'Add a group without members and permissions',
    description: PERMISSIONS,
    body: nameBody,
    responses: { 201: RECORD },
    perform: async (context, _path, body) => {
      checkPermission(context.actor, 'view_group')
      const outcome = await createGroup(context, readForm(context, body))
      if (!outcome.ok) throw refusalOf(context, outcome.reasons)
      return { ...(await answerWith(context, outcome.id)), status: 201, headers: { location: `/api/groups/${outcome.id}/` } }
    },
  }),
  writeEndpoint({
    method: 'PATCH',
    path: '/api/groups/{id}/',
    access: scope('CONFIDENTIAL_WRITE', 'change_group'),
    name: 'Group Instance',
    operationId: 'groups_update',
    tag,
    summary: 'Rename a group',
    description: PERMISSIONS,
    body: nameBody.partial(),
    target: presentGroupOf,
    responses: { 200: RECORD },
    perform: async (context, { id }, body) => {
      checkPermission(context.actor, 'view_group')
      const group = requireFound(await getGroup(context.db, id))
      const form = { ...readForm(context, { name: body.name ?? group.name }, group), seen: groupState(group) }
      const outcome = requireFound(await changeGroup(context, id, form))
      if (!outcome.ok) throw refusalOf(context, outcome.reasons)
      return answerWith(context, id)
    },
  }),
  writeEndpoint({
    method: 'DELETE',
    path: '/api/groups/{id}/',
    access: scope('CONFIDENTIAL_WRITE', 'delete_group'),
    name: 'Group Instance',
    operationId: 'groups_destroy',
    tag,
    summary: 'Delete a group',
    description: 'Its members no longer see its events.',
    target: presentGroupOf,
    responses: { 204: { description: 'Deleted' } },
    perform: async (context, { id }) => {
      const outcome = requireFound(await deleteGroup(context, id))
      if (!outcome.ok) throw refusalOf(context, [outcome.reason])
      return { status: 204 }
    },
  }),
  ...(['add', 'remove'] as const).map((what) =>
    writeEndpoint({
      method: 'POST',
      path: `/api/groups/{id}/members/${what}/`,
      access: scope('CONFIDENTIAL_WRITE', 'change_group'),
      name: what === 'add' ? 'Add Group Members' : 'Remove Group Members',
      operationId: `groups_members_${what}_create`,
      tag,
      summary: what === 'add' ? 'Add people to a group' : 'Remove people from a group',
      description: `People who are ${what === 'add' ? 'members already' : 'no members'} stay as they are. Needs the permission \`view_group\`, too.`,
      body: membersBody,
      target: (context, path) => presentGroupOf(context, path as { id: number }),
      responses: { 200: RECORD },
      perform: async (context, path, { users }) => {
        const { id: groupId } = path as { id: number }
        checkPermission(context.actor, 'view_group')
        await lockGroup(context.db, groupId)
        const move = what === 'add' ? addMembers : removeMembers
        const userIds = await requireListed(context, users)
        if ((await move(context, { groupId, userIds })) === undefined) throw new Problem('not_found')
        return answerWith(context, groupId)
      },
    }),
  ),
]

/** All people who are not in the list of profiles are reported at once. */
async function requireListed(context: WriteContext, users: readonly number[]): Promise<number[]> {
  const listed = await findListedIds(context.db, users)
  const detail = context.words.t('people.refused_unknown')
  const errors = users.flatMap((id, index): InputError[] =>
    listed.has(id) ? [] : [{ pointer: `/users/${index}`, code: 'person_unknown', detail }],
  )
  if (errors.length) throw new Problem('invalid_input', { errors })
  return [...new Set(users)]
}

function readForm({ words }: WriteContext, { name }: { name: string }, group?: GroupWithBundles): GroupForm {
  const { bundles = [], publishFor = [], decideHoursFor = [] } = group ?? {}
  const values = { name, bundles, publish_for: publishFor.map(String), decide_hours_for: decideHoursFor.map(String) }
  return parseLikeForm(groupForm.schema, values, { words })
}

function refusalOf({ words }: WriteContext, reasons: readonly GroupRefusal[]): Problem {
  // Somebody saved the group between the reading and the lock; the same request works when it is repeated.
  if (reasons.includes('changed_meanwhile')) return new Problem('conflict', { headers: { 'retry-after': '1' } })
  const errors = reasons.map((code): InputError => {
    const pointer = code === 'name_taken' ? { pointer: '/name' } : {}
    return { ...pointer, code, detail: words.t(`groups.refused_${code}`) }
  })
  return new Problem('refused', { errors })
}

async function answerWith(context: WriteContext, id: number): Promise<WriteAnswer> {
  return { status: 200, body: await presentGroupOf(context, { id }) }
}
