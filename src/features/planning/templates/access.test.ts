import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { UserActor } from '#platform/auth/actor.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { actorOf } from '#test/support/command-context.ts'
import { ANN, HELPERS, OLGA, PLANNERS } from '#test/support/people.ts'
import { openRecords } from '#test/support/records.ts'
import { usableBy } from './access.ts'

describe('templates', async () => {
  const records = await openRecords()
  await records.db.write
    .insertInto('group_grant')
    .values({ group_id: HELPERS.id, target_group_id: PLANNERS.id, permission: 'publish_event_for_group' })
    .execute()
  const TEMPLATES = {
    'for all': [],
    'for those of its type': null,
    'for helpers': [HELPERS.id],
    'for both': [HELPERS.id, PLANNERS.id],
  }
  const usable = async (actor: UserActor) => {
    const names: string[] = []
    for (const [name, groups] of Object.entries(TEMPLATES)) {
      const content = JSON.stringify({ groups })
      const { rows } = await sql`select from (select ${content}::jsonb as content) t where ${usableBy(actor)}`.execute(
        records.db.write,
      )
      if (rows.length > 0) names.push(name)
    }
    return names
  }
  const ann = (...permissions: Permission[]) => actorOf(ANN, { groupIds: [HELPERS.id], permissions: new Set(permissions) })
  const ALL = Object.keys(TEMPLATES)
  const OPEN = ['for all', 'for those of its type']
  const CASES: [who: string, actor: UserActor, templates: string[]][] = [
    ['a member of a group without permissions', ann(), []],
    ['who changes all events', ann('change_event'), []],
    ['who adds events', ann('add_event'), [...OPEN, 'for both']],
    ['who adds events, without the group', actorOf(ANN, { permissions: new Set(['add_event']) }), OPEN],
    ['who adds events and publishes them for all groups', ann('add_event', 'publish_event_for_group'), ALL],
    ['who adds and changes all events', ann('add_event', 'change_event'), ALL],
    ['a superuser', actorOf(OLGA), ALL],
  ]
  for (const [who, actor, templates] of CASES)
    test(`for ${who}: ${templates.join(', ') || 'none'}`, async () => assert.deepEqual(await usable(actor), templates))
})
