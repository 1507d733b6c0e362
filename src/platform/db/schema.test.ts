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

/** Each is refused by a check, which the name tells if it has one. */
const CHECKS: [what: string, table: string, values: Record<string, unknown>, constraint?: string][] = [
  ['an event without a title', 'event', { ...EVENT, title: '' }],
  ['a title of 255 characters', 'event', { ...EVENT, title: 'x'.repeat(255) }],
  ['a location of 255 characters', 'event', { ...EVENT, location: 'x'.repeat(255) }],
  ['a cancellation without a reason', 'event', { ...EVENT, cancelled_at: hour(1) }, 'event_cancellation_has_reason'],
  ['a reason without a cancellation', 'event', { ...EVENT, cancellation_reason: 'rain' }, 'event_cancellation_has_reason'],
  ['a colour that is none', 'event_type', { title: 'x', color: 'red' }],
  ['a way to show people that there is not', 'event_type', { title: 'x', show_participant_data: 4 }],
  ['a meeting after the start', 'shift', { ...SHIFT, meeting_time: hour(9) }, 'shift_meeting_before_start'],
  ['a shift that ends as it begins', 'shift', { ...SHIFT, end_time: hour(8) }, 'shift_end_after_start'],
  ['a label of 256 characters', 'shift', { ...SHIFT, label: 'x'.repeat(256) }],
  ['a flow without a name', 'shift', { ...SHIFT, signup_flow_slug: '' }],
  ['a configuration that is a list', 'shift', { ...SHIFT, structure_configuration: '[]' }],
  ['fewer than no free places', 'shift', { ...SHIFT, free: -1 }],
  ['a minimum below zero', 'shift', { ...SHIFT, min_count: -1 }],
  ['a person without a name', 'user_profile', { ...PERSON, display_name: '' }],
  ['a language that there is not', 'user_profile', { ...PERSON, preferred_language: 'fr' }],
  ['switches that are no list', 'user_profile', { ...PERSON, disabled_notifications: '{}' }],
  ['a state 5', 'participation', { ...PART, state: 5 }],
  ['a state below zero', 'participation', { ...PART, state: -1 }],
  ['a kind that there is not', 'participation', { ...PART, kind: 'remote' }],
  ['a local participation of nobody', 'participation', { ...PART, user_id: null }, 'participation_one_person'],
  ['a participation of two', 'participation', { ...PART, guest_id: guest.id }, 'participation_one_person'],
  ['a guest under the kind of a user', 'participation', { ...PART, kind: 'guest' }, 'participation_one_person'],
  ['a placeholder without a name', 'participation', { ...PART, kind: 'placeholder', user_id: null }, 'participation_one_person'],
  [
    'times of one’s own that run backwards',
    'participation',
    { ...PART, individual_start_time: hour(11), individual_end_time: hour(9) },
    'participation_times_in_order',
  ],
  [
    'a start of one’s own behind the end',
    'participation',
    { ...PART, individual_start_time: hour(13) },
    'participation_times_in_order',
  ],
  [
    'a permission that cannot be granted on an event',
    'event_user_grant',
    { event_id: event.id, user_id: ann.id, permission: 'delete' },
  ],
  ['a block of a kind that there is not', 'building_block', { name: 'x', block_type: 'huge' }],
  ['a requirement of fewer than none', 'block_requirement', { block_id: 0, at_least: -1 }],
  ['a personal token of nobody', 'access_token', { ...TOKEN, user_id: null }, 'access_token_owner'],
  ['a personal token of an application', 'access_token', { ...TOKEN, application_id: 1 }, 'access_token_owner'],
  ['a federation token of a person', 'access_token', { ...TOKEN, kind: 'federation' }, 'access_token_owner'],
  ['an application’s token without one', 'access_token', { ...TOKEN, kind: 'oauth' }, 'access_token_owner'],
  ['a link that expired before it was made', 'one_time_link', { ...LINK, expires_at: hour(0) }],
  ['a welcome for nobody', 'one_time_link', { ...LINK, user_id: null }],
  ['the link of the first administrator for somebody', 'one_time_link', { ...LINK, purpose: 'first_administrator' }],
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

test('takes the longest that is allowed', async () => {
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
  test(`one ${what} takes part in one shift once, whatever the state`, async () => {
    await insert(pool, table, values)
    await assert.rejects(insert(pool, table, { ...values, state: 2 }), { code: '23505' })
    const other = await addShift(pool, event.id, 14, 16)
    await insert(pool, table, { ...values, shift_id: other.id })
  })
}

test('an address is one person’s, however it is written', async () => {
  await insert(pool, 'user_profile', { ...PERSON, email: 'One@A.example' })
  await assert.rejects(insert(pool, 'user_profile', { ...PERSON, email: 'oNE@a.EXAMPLE' }), { code: '23505' })
})

test('ids can be given, and those that are not go on', async () => {
  assert.equal((await insert(pool, 'event', { id: 4_711, ...EVENT })).id, 4_711)
  assert.equal(typeof (await insert(pool, 'event', EVENT)).id, 'number')
  assert.equal((await insert(pool, 'user_profile', { id: 900, ...PERSON })).id, 900)
})

const KEPT: [what: string, sql: string, values: unknown[]][] = [
  ['a person who takes part', 'delete from user_profile where id = $1', [ann.id]],
  ['a type that has events', 'delete from event_type where id = $1', [event.type_id]],
  ['a category that has qualifications', 'delete from qualification_category where id = $1', [skill.category_id]],
]
for (const [what, sql, values] of KEPT)
  test(`does not delete ${what}`, async () => assert.rejects(pool.query(sql, values), ({ code }) => /^23(001|503)$/.test(code)))

test('the permissions of the table are those of the code', async () => {
  const { PERMISSIONS } = await import('#platform/auth/permissions.ts')
  const { rows } = await pool.query<{ name: string }>('select name from permission')
  assert.deepEqual(rows.map(({ name }) => name).sort(), [...PERMISSIONS].sort())
})

test('an atomic block has no sub blocks, a composite one no positions, seen at the end of the transaction', async () => {
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
