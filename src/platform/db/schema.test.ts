import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase } from '#test/support/database.ts'
import {
  addEvent,
  addEventType,
  addGuest,
  addQualification,
  addShift,
  addUser,
  addVisitor,
  hour,
  insert,
} from '#test/support/rows.ts'
import { makePool } from './pool.ts'

const { url } = await freshDatabase()
const pool = makePool({ url, max: 2, onError: () => {} })
after(() => pool.end())

const type = await addEventType(pool)
const event = await addEvent(pool)
const shift = await addShift(pool, event.id)
const [ann, ben] = [await addUser(pool), await addUser(pool)]
const [guest, visitor] = [await addGuest(pool, event.id), await addVisitor(pool)]
const skill = await addQualification(pool)

const EVENT = { title: 'Run', location: '', type_id: type.id }
const SHIFT = {
  event_id: event.id,
  meeting_time: hour(8),
  start_time: hour(8),
  end_time: hour(9),
  signup_flow_slug: 'x',
  structure_slug: 'y',
}
const PERSON = { email: 'someone@a.example', display_name: 'Some One' }
const PART = { shift_id: shift.id, kind: 'local', user_id: ben.id, state: 0 }
const TOKEN = { token_hash: 'x', kind: 'personal', user_id: ann.id, created_at: hour(1) }
const LINK = { token_hash: 'x', purpose: 'welcome', user_id: ann.id, created_at: hour(1), expires_at: hour(2) }

/** Each violates a check constraint; its name is compared if given. */
const CHECKS: [what: string, table: string, values: Record<string, unknown>, constraint?: string][] = [
  ['an event without a title', 'event', { ...EVENT, title: '' }],
  ['a title of 255 characters', 'event', { ...EVENT, title: 'x'.repeat(255) }],
  ['a location of 255 characters', 'event', { ...EVENT, location: 'x'.repeat(255) }],
  ['a cancellation without a reason', 'event', { ...EVENT, cancelled_at: hour(1) }, 'event_cancellation_has_reason'],
  ['a reason without a cancellation', 'event', { ...EVENT, cancellation_reason: 'rain' }, 'event_cancellation_has_reason'],
  ['an invalid colour', 'event_type', { title: 'x', color: 'red' }],
  ['an unknown level of participant data', 'event_type', { title: 'x', show_participant_data: 4 }],
  ['a meeting after the start', 'shift', { ...SHIFT, meeting_time: hour(9) }, 'shift_meeting_before_start'],
  ['a shift without duration', 'shift', { ...SHIFT, end_time: hour(8) }, 'shift_end_after_start'],
  ['a label of 256 characters', 'shift', { ...SHIFT, label: 'x'.repeat(256) }],
  ['a flow without a name', 'shift', { ...SHIFT, signup_flow_slug: '' }],
  ['a configuration that is not an object', 'shift', { ...SHIFT, structure_configuration: '[]' }],
  ['a negative number of free places', 'shift', { ...SHIFT, free: -1 }],
  ['a negative minimum', 'shift', { ...SHIFT, min_count: -1 }],
  ['a person without a name', 'user_profile', { ...PERSON, display_name: '' }],
  ['an unknown language', 'user_profile', { ...PERSON, preferred_language: 'French' }],
  ['notification settings that are not a list', 'user_profile', { ...PERSON, disabled_notifications: '{}' }],
  ['a state above 4', 'participation', { ...PART, state: 5 }],
  ['a negative state', 'participation', { ...PART, state: -1 }],
  ['an unknown kind of participation', 'participation', { ...PART, kind: 'remote' }],
  ['a local participation without a user', 'participation', { ...PART, user_id: null }, 'participation_one_person'],
  ['a participation of a user and a guest', 'participation', { ...PART, guest_id: guest.id }, 'participation_one_person'],
  ['a participation of kind guest with a user', 'participation', { ...PART, kind: 'guest' }, 'participation_one_person'],
  ['a placeholder without a name', 'participation', { ...PART, kind: 'placeholder', user_id: null }, 'participation_one_person'],
  [
    'an individual end before the individual start',
    'participation',
    { ...PART, individual_start_time: hour(11), individual_end_time: hour(9) },
    'participation_times_in_order',
  ],
  [
    'an individual start after the end of the shift',
    'participation',
    { ...PART, individual_start_time: hour(13) },
    'participation_times_in_order',
  ],
  [
    'a permission that does not exist for events',
    'event_user_grant',
    { event_id: event.id, user_id: ann.id, permission: 'delete' },
  ],
  ['an unknown type of block', 'building_block', { name: 'x', block_type: 'huge' }],
  ['a negative requirement', 'block_requirement', { block_id: 0, at_least: -1 }],
  ['a personal token without a user', 'access_token', { ...TOKEN, user_id: null }, 'access_token_owner'],
  ['a personal token with an application', 'access_token', { ...TOKEN, application_id: 1 }, 'access_token_owner'],
  ['a federation token with a user', 'access_token', { ...TOKEN, kind: 'federation' }, 'access_token_owner'],
  ['an OAuth token without an application', 'access_token', { ...TOKEN, kind: 'oauth' }, 'access_token_owner'],
  ['a link that expires before its creation', 'one_time_link', { ...LINK, expires_at: hour(0) }],
  ['a welcome link without a user', 'one_time_link', { ...LINK, user_id: null }],
  ['a first administrator link with a user', 'one_time_link', { ...LINK, purpose: 'first_administrator' }],
  [
    'a qualification that includes itself',
    'qualification_inclusion',
    { qualification_id: skill.id, included_id: skill.id },
    'qualification_inclusion_not_itself',
  ],
]
for (const [what, table, values, constraint] of CHECKS) {
  test(`refuses ${what}`, async () => {
    await assert.rejects(insert(pool, table, values), (error: { code?: string; constraint?: string }) => {
      assert.equal(error.code, '23514')
      if (constraint) assert.equal(error.constraint, constraint)
      return true
    })
  })
}

test('accepts texts of the maximum length', async () => {
  const longest = await insert(pool, 'event', { ...EVENT, title: 'ü'.repeat(254), location: 'x'.repeat(254) })
  await insert(pool, 'shift', { ...SHIFT, event_id: longest.id, label: 'x'.repeat(255) })
})

const ONCE: [what: string, table: string, values: Record<string, unknown>][] = [
  ['user', 'participation', { shift_id: shift.id, kind: 'local', user_id: ann.id, state: 1 }],
  ['guest', 'participation', { shift_id: shift.id, kind: 'guest', guest_id: guest.id, state: 1 }],
  ['visitor', 'participation', { shift_id: shift.id, kind: 'visitor', visitor_id: visitor.id, state: 1 }],
  ['placeholder', 'participation', { shift_id: shift.id, kind: 'placeholder', placeholder_name: 'Zug 2', state: 1 }],
]
for (const [what, table, values] of ONCE) {
  test(`a ${what} has one participation per shift, in any state`, async () => {
    await insert(pool, table, values)
    await assert.rejects(insert(pool, table, { ...values, state: 2 }), { code: '23505' })
    const other = await addShift(pool, event.id, 14, 16)
    await insert(pool, table, { ...values, shift_id: other.id })
  })
}

test('mail addresses are unique regardless of case', async () => {
  await insert(pool, 'user_profile', { ...PERSON, email: 'One@A.example' })
  await assert.rejects(insert(pool, 'user_profile', { ...PERSON, email: 'oNE@a.EXAMPLE' }), { code: '23505' })
})

test('ids can be given or generated', async () => {
  assert.equal((await insert(pool, 'event', { id: 4_711, ...EVENT })).id, 4_711)
  assert.equal(typeof (await insert(pool, 'event', EVENT)).id, 'number')
  assert.equal((await insert(pool, 'user_profile', { id: 900, ...PERSON })).id, 900)
})

const KEPT: [what: string, sql: string, values: unknown[]][] = [
  ['a user with participations', 'delete from user_profile where id = $1', [ann.id]],
  ['an event type with events', 'delete from event_type where id = $1', [event.type_id]],
  ['a category with qualifications', 'delete from qualification_category where id = $1', [skill.category_id]],
]
for (const [what, sql, values] of KEPT)
  test(`does not delete ${what}`, async () => assert.rejects(pool.query(sql, values), ({ code }) => /^23(001|503)$/.test(code)))

test('the table of permissions matches the code', async () => {
  const { PERMISSIONS } = await import('#platform/auth/permissions.ts')
  const { rows } = await pool.query<{ name: string }>('select name from permission')
  assert.deepEqual(rows.map(({ name }) => name).sort(), [...PERMISSIONS].sort())
})

test('at commit, an atomic block has no sub-blocks and a composite block no positions', async () => {
  const [atom, whole] = [
    await insert(pool, 'building_block', { name: 'a', block_type: 'atomic' }),
    await insert(pool, 'building_block', { name: 'w', block_type: 'composite' }),
  ]
  await insert(pool, 'block_composition', { block_id: whole.id, sub_block_id: atom.id })
  await insert(pool, 'block_position', { block_id: atom.id })
  const refused = { code: '23514', constraint: 'building_block_kind' }
  await assert.rejects(
    insert(pool, 'block_composition', { block_id: atom.id, sub_block_id: whole.id }),
    /no_cycle|building_block_kind|contain itself|atomic block/,
  )
  await assert.rejects(insert(pool, 'block_position', { block_id: whole.id }), refused)
  await assert.rejects(pool.query(`update building_block set block_type = 'atomic' where id = $1`, [whole.id]), refused)
  await pool.query(
    `begin; update building_block set block_type = 'composite' where id = ${atom.id}; delete from block_position where block_id = ${atom.id}; commit`,
  )
})
