import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/db/transaction.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, PLANNERS } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import {
  findEventTypes,
  findNamesToOffer,
  findPeopleNamed,
  findTypeChoices,
  getEventType,
  getTypeRow,
} from '../queries/event-types.ts'
import { removeDefaultResponsible } from './event-type-people.ts'
import {
  archiveEventType,
  changeEventType,
  createEventType,
  deleteEventType,
  moveEvents,
  restoreEventType,
} from './event-types.ts'

describe('event types in the database', async () => {
  const world = await openWorld()
  const { write } = world.db
  const olga = contextAs(world, OLGA)
  const medic = await world.addQualification('Medic')
  const journal = async (id: number) =>
    (
      await write
        .selectFrom('journal')
        .select(['kind', 'changes'])
        .where('subject_kind', '=', 'event_type')
        .where('subject_id', '=', id)
        .orderBy('id')
        .execute()
    ).map(({ kind, changes }) => [kind, changes])
  const form = (title: string, version: number) => ({
    title,
    color: '#00ff00',
    show_participant_data: 2 as const,
    default_description: 'Bring water',
    audience: 'chosen' as const,
    audience_groups: [HELPERS.id],
    responsible_groups: [PLANNERS.id],
    responsible_users: [PAUL.id],
    required_qualifications: [medic.id],
    version,
  })

  test('are changed with all their defaults by a current form; other types stay', async () => {
    const [race, run] = [await createEventType(olga, { title: 'Race' }), await createEventType(olga, { title: 'run' })]
    const { version } = (await getEventType(write, run))!
    assert.deepEqual(await changeEventType(olga, run, form('run', version)), { ok: true })
    const untouched = await getEventType(write, run)
    const first = (await getEventType(write, race))!
    assert.deepEqual(await changeEventType(olga, race, form('Race', first.version + 1)), {
      ok: false,
      reason: 'changed_meanwhile',
    })
    assert.deepEqual(await changeEventType(olga, 999_999, form('Race', 1)), { ok: false, reason: 'gone' })
    assert.deepEqual(await getEventType(write, race), first)
    assert.deepEqual(await changeEventType(olga, race, { ...form('Big race', first.version), responsible_users: [999_999] }), {
      ok: false,
      reason: 'unknown_choice',
    })
    assert.deepEqual(await getEventType(write, race), first, 'all of it or nothing')
    assert.deepEqual(await changeEventType(olga, race, form('Big race', first.version)), { ok: true })
    const stored = (await getEventType(write, race))!
    assert.deepEqual(stored, {
      id: race,
      title: 'Big race',
      color: '#00ff00',
      showParticipantData: 2,
      archivedAt: null,
      eventCount: 0,
      defaultDescription: 'Bring water',
      visibleForAllGroups: false,
      version: stored.version,
      audienceGroups: [HELPERS.id],
      responsibleGroups: [PLANNERS.id],
      responsibleUsers: [PAUL.id],
      requiredQualifications: [medic.id],
    })
    const open = { ...form('Big race', stored.version), audience: 'all' as const, responsible_users: [BEN.id, ANN.id] }
    assert.deepEqual(await changeEventType(olga, race, { ...open, required_qualifications: [] }), { ok: true })
    const row = await getTypeRow({ db: write }, race)
    assert.deepEqual(
      [
        row?.visible_for_all_groups,
        row?.audience_groups,
        row?.responsible_groups,
        row?.responsible_users,
        row?.required_qualifications,
      ],
      [true, [], [PLANNERS.id], [ANN.id, BEN.id], []],
    )
    assert.equal(await getTypeRow({ db: write }, 999_999), undefined)
    assert.deepEqual(await getEventType(write, run), untouched)
    const entries = await journal(race)
    assert.deepEqual(
      entries.map(([kind, changes]) => [kind, (changes as { before?: string }).before]),
      [
        ['event_type.created', undefined],
        ['event_type.changed', 'Race'],
        ['event_type.changed', undefined],
      ],
    )
  })

  test('lose a default responsible who is deleted, and keep the others', async () => {
    const id = await createEventType(olga, { title: 'Left' })
    const { version } = (await getEventType(write, id))!
    await changeEventType(olga, id, { ...form('Left', version), responsible_users: [ANN.id, PAUL.id] })
    await transact(write, (tx) => removeDefaultResponsible(tx, ANN.id))
    assert.deepEqual((await getEventType(write, id))!.responsibleUsers, [PAUL.id])
    await deleteEventType(olga, id)
  })

  test('are archived once, listed last, and restored', async () => {
    const old = await createEventType(olga, { title: 'A former one' })
    const later = { ...olga, now: new Date(olga.now.getTime() + 1000) }
    const at = async () => (await getEventType(write, old))!.archivedAt
    assert.deepEqual([await archiveEventType(olga, old), await archiveEventType(later, old)], [true, true])
    assert.deepEqual(await at(), olga.now, 'the first time stays')
    assert.equal(await archiveEventType(olga, 999_999), false)
    const types = await findEventTypes(write)
    assert.deepEqual(
      types.map(({ title }) => title),
      ['Big race', 'run', 'Service', 'A former one'],
    )
    assert.equal(types.filter(({ archivedAt }) => archivedAt).length, 1)
    assert.deepEqual([await restoreEventType(olga, old), await restoreEventType(olga, old), await at()], [true, true, null])
    assert.equal((await findEventTypes(write))[0]!.title, 'A former one')
    assert.deepEqual((await journal(old)).slice(1), [
      ['event_type.archived', { title: 'A former one' }],
      ['event_type.restored', { title: 'A former one' }],
    ])
  })

  test('give their events to another type that is in use, and are deleted without events', async () => {
    const [from, to, archived] = [
      await createEventType(olga, { title: 'From' }),
      await createEventType(olga, { title: 'To' }),
      await createEventType(olga, { title: 'Archived' }),
    ]
    await archiveEventType(olga, archived)
    await world.addEvent({ type: from })
    await world.addEvent({ type: from, draft: true })
    await world.addEvent({ type: from, deleted: true })
    const other = await world.addEvent({})
    assert.equal((await getEventType(write, from))!.eventCount, 3)
    assert.deepEqual(await deleteEventType(olga, from), { ok: false, reason: 'in_use' })
    assert.deepEqual(await moveEvents(olga, 999_999, { to }), { ok: false, reason: 'gone' })
    for (const target of [from, archived, 999_999])
      assert.deepEqual(await moveEvents(olga, from, { to: target }), { ok: false, reason: 'no_target' }, `${target}`)
    assert.deepEqual(await moveEvents(olga, from, { to }), { ok: true, count: 3 })
    const { type_id } = await write.selectFrom('event').select('type_id').where('id', '=', other.id).executeTakeFirstOrThrow()
    assert.equal(type_id, 1)
    assert.deepEqual([(await getEventType(write, from))!.eventCount, (await getEventType(write, to))!.eventCount], [0, 3])
    assert.deepEqual(await deleteEventType(olga, from), { ok: true })
    assert.deepEqual(await deleteEventType(olga, from), { ok: false, reason: 'gone' })
    assert.deepEqual([await getEventType(write, from), (await getEventType(write, to))!.eventCount], [undefined, 3])
    assert.deepEqual((await journal(from)).slice(1), [
      ['event_type.events_moved', { from: 'From', to: 'To', to_id: to, count: 3 }],
      ['event_type.deleted', { title: 'From' }],
    ])
  })

  test('offer groups, qualifications and the chosen people, and find people by their whole name or address', async () => {
    const { groups, qualifications, people } = await findTypeChoices(write, [PAUL.id, ANN.id])
    assert.deepEqual(
      [groups.map(({ label }) => label), qualifications.map(({ label }) => label), people.map(({ label }) => label)],
      [['Helpers', 'Planners'], ['Medic'], ['Ann', 'Paul']],
    )
    assert.deepEqual((await findTypeChoices(write, [])).people, [])
    const off = await world.addPerson({ name: 'Off' })
    await write.updateTable('user_profile').set({ is_active: false }).where('id', '=', off.id).execute()
    for (const [text, found] of [
      ['ann', [ANN.id]],
      ['BEN@a.example', [BEN.id]],
      ['An', []],
      ['Off', []],
    ] as const)
      assert.deepEqual(
        (await findPeopleNamed(write, text)).map(({ id }) => id),
        found,
        text,
      )
    const offered = await findNamesToOffer(write)
    assert.ok(offered.includes(ANN.email) && !offered.includes(off.email))
    const hidden = await world.addPerson({ name: 'Hidden' })
    await write.updateTable('user_profile').set({ is_visible: false }).where('id', '=', hidden.id).execute()
    assert.deepEqual(await findNamesToOffer(write), offered)
    const fill = (count: number) =>
      sql`insert into user_profile (display_name, email)
        select 'Zed ' || n, 'zed' || n || '@a.example' from generate_series(1, ${count}::int) n`.execute(write)
    await fill(200 - offered.length)
    assert.equal((await findNamesToOffer(write)).length, 200)
    await write.insertInto('user_profile').values({ display_name: 'Zoe', email: 'zoe@a.example' }).execute()
    assert.deepEqual(await findNamesToOffer(write), [], 'a part would suggest that there is nobody else')
  })
})
