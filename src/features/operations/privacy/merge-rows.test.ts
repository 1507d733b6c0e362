import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { personalDataOf } from '#platform/features/personal-data.ts'
import { contextAs } from '#test/support/command-context.ts'
import { HELPERS, OLGA, PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { FEATURES } from '../../../features.ts'
import { mergeAccounts } from './commands/merge.ts'
import { countMergedRows } from './queries/merge.ts'

describe('merging', async () => {
  const world = await openWorld()
  const { write } = world.db
  const tools = { tables: personalDataOf(FEATURES) }
  const addPair = async (name: string) => [await world.addPerson({ name }), await world.addPerson({ name: `${name} 2` })] as const
  const merge = async (remaining: Person, other: Person) =>
    assert.ok((await mergeAccounts(contextAs(world, OLGA), { remainingId: remaining.id, otherId: other.id }, tools)).ok)

  for (const [what, own, other, expected] of [
    ['the later one', '2031-07-01', '2032-07-01', '2032-07-01'],
    ['the own one, if it is later', '2032-07-01', '2031-07-01', '2032-07-01'],
    ['none, if the own one has none', null, '2032-07-01', null],
    ['none, if the other one has none', '2031-07-01', null, null],
    ['that of the other one, if only they hold it', undefined, '2032-07-01', '2032-07-01'],
  ] as const)
    test(`the expiry of a qualification is ${what}`, async () => {
      const [mia, other1] = await addPair('Mia')
      const medic = await world.addQualification(`Medic, ${what}`)
      const grant = (person: Person, expires: string | null) =>
        write
          .insertInto('qualification_grant')
          .values({ user_id: person.id, qualification_id: medic.id, expires_at: expires === null ? null : new Date(expires) })
          .execute()
      if (own !== undefined) await grant(mia, own)
      await grant(other1, other)
      await merge(mia, other1)
      const rows = await write
        .selectFrom('qualification_grant')
        .select(['user_id', 'expires_at'])
        .where('qualification_id', '=', medic.id)
        .execute()
      assert.deepEqual(rows, [{ user_id: mia.id, expires_at: expected && new Date(expected) }])
    })

  test('the better participation stays with its times, team and answers; missing answers come from the other', async () => {
    const [nora, other] = await addPair('Nora')
    const { shifts } = await world.addEvent({ shifts: [{ start: '2031-06-01T08:00:00Z' }, { start: '2031-06-02T08:00:00Z' }] })
    const [a, b] = shifts as [number, number]
    const ids: number[] = []
    for (const name of ['Meal', 'Shirt'])
      ids.push(
        (await write.insertInto('question').values({ name, text: name, kind: 'text' }).returning('id').executeTakeFirstOrThrow())
          .id,
      )
    const [meal, shirt] = ids as [number, number]
    const addPlace = async (who: Person, shift: number, state: 0 | 1, hour: string, answers: [number, string][]) => {
      const day = shift === a ? '2031-06-01' : '2031-06-02'
      const id = await world.addParticipation({
        who,
        shift,
        state,
        start: `${day}T08:${hour}:00Z`,
        end: `${day}T09:${hour}:00Z`,
        data: { team: who.name },
      })
      for (const [question_id, value] of answers)
        await write
          .insertInto('answer')
          .values({ participation_id: id, question_id, value: JSON.stringify(value) })
          .execute()
      return id
    }
    await addPlace(nora, a, 0, '10', [[meal, 'own']])
    const better = await addPlace(other, a, 1, '20', [[shirt, 'other']])
    await write.updateTable('participation').set({ finished: true }).where('id', '=', better).execute()
    await addPlace(nora, b, 1, '10', [[meal, 'own']])
    await addPlace(other, b, 0, '20', [
      [meal, 'other'],
      [shirt, 'other'],
    ])
    await merge(nora, other)
    const rows = await write.selectFrom('participation').selectAll().where('user_id', '=', nora.id).orderBy('shift_id').execute()
    const placeOf = (row: (typeof rows)[number]) => [
      row.state,
      row.individual_start_time?.toISOString().slice(11, 16),
      row.individual_end_time?.toISOString().slice(11, 16),
      row.structure_data,
      row.finished,
    ]
    assert.deepEqual(rows.map(placeOf), [
      [1, '08:20', '09:20', { team: 'Nora 2' }, true],
      [1, '08:10', '09:10', { team: 'Nora' }, false],
    ])
    const answersOf = async (participation: number) =>
      (
        await write
          .selectFrom('answer')
          .select(['question_id', 'value'])
          .where('participation_id', '=', participation)
          .orderBy('question_id')
          .execute()
      ).map(({ question_id, value }) => [question_id, value])
    assert.deepEqual(await answersOf(rows[0]!.id), [[shirt, 'other']])
    assert.deepEqual(await answersOf(rows[1]!.id), [
      [meal, 'own'],
      [shirt, 'other'],
    ])
  })

  test('the preview counts the rows of the other account, and those that both have', async () => {
    const [ida, other] = await addPair('Ida')
    const groups = await write
      .insertInto('user_group')
      .values([{ name: 'Of both accounts' }, { name: 'Of one account' }])
      .returning('id')
      .execute()
    const [both, single] = groups.map(({ id }) => id) as [number, number]
    const members = [
      { user_id: ida.id, group_id: both },
      { user_id: other.id, group_id: both },
      { user_id: other.id, group_id: single },
    ]
    await write.insertInto('user_group_member').values(members).execute()
    const counted = await countMergedRows(world.db.read, tools.tables, { remainingId: ida.id, otherId: other.id })
    const found = counted.filter(({ table }) => table.table === 'user_group_member')
    assert.deepEqual(
      found.map(({ table, rows, duplicates }) => [table.column, rows, duplicates]),
      [['user_id', 2, 1]],
    )
  })

  test('the account is as old as the older one, and was used as late as the later one', async () => {
    const [pia, other] = await addPair('Pia')
    const times = (person: Person, created: string, seen: string) =>
      write
        .updateTable('user_profile')
        .set({ created_at: new Date(created), last_sign_in_at: new Date(seen) })
        .where('id', '=', person.id)
        .execute()
    await times(pia, '2030-05-01', '2031-01-01')
    await times(other, '2029-05-01', '2031-02-01')
    await merge(pia, other)
    const row = await write.selectFrom('user_profile').selectAll().where('id', '=', pia.id).executeTakeFirstOrThrow()
    assert.deepEqual([row.created_at, row.last_sign_in_at], [new Date('2029-05-01'), new Date('2031-02-01')])
  })

  test('nobody becomes their own guardian', async () => {
    const [guardian, child] = await addPair('Gina')
    await write.insertInto('guardianship').values({ guardian_id: guardian.id, child_id: child.id, since: world.now }).execute()
    await merge(guardian, child)
    assert.deepEqual(await write.selectFrom('guardianship').selectAll().execute(), [])
  })
})

describe('rows that both accounts have', async () => {
  const world = await openWorld()
  const { write } = world.db
  const tools = { tables: personalDataOf(FEATURES) }

  test('stay once, those of the other account move, and those of others stay as they are', async () => {
    const [rita, sven] = [await world.addPerson({ name: 'Rita' }), await world.addPerson({ name: 'Sven' })]
    const drivers = await world.addGroup('Drivers', [sven, PAUL])
    for (const { id } of [rita, sven])
      await write.insertInto('user_group_member').values({ group_id: HELPERS.id, user_id: id }).execute()
    await write
      .insertInto('profile_user_grant')
      .values([
        { user_id: sven.id, viewer_id: rita.id },
        { user_id: sven.id, viewer_id: PAUL.id },
        { user_id: PAUL.id, viewer_id: sven.id },
      ])
      .execute()
    assert.ok((await mergeAccounts(contextAs(world, OLGA), { remainingId: rita.id, otherId: sven.id }, tools)).ok)
    const members = await write
      .selectFrom('user_group_member')
      .select(['group_id', 'user_id'])
      .where('user_id', 'in', [rita.id, sven.id, PAUL.id])
      .where('group_id', 'in', [HELPERS.id, drivers.id])
      .orderBy('user_id')
      .orderBy('group_id')
      .execute()
    assert.deepEqual(
      members.map(({ group_id, user_id }) => [user_id, group_id]),
      [
        [PAUL.id, drivers.id],
        [rita.id, HELPERS.id],
        [rita.id, drivers.id],
      ],
    )
    const grants = await write.selectFrom('profile_user_grant').selectAll().orderBy('user_id').execute()
    assert.deepEqual(grants, [
      { user_id: PAUL.id, viewer_id: rita.id },
      { user_id: rita.id, viewer_id: PAUL.id },
    ])
  })

  test('a guardianship of one of them with somebody else stays', async () => {
    const [uma, vito, child] = [
      await world.addPerson({ name: 'Uma' }),
      await world.addPerson({ name: 'Vito' }),
      await world.addPerson({ name: 'Child' }),
    ]
    await write
      .insertInto('guardianship')
      .values([
        { guardian_id: vito.id, child_id: child.id, since: world.now },
        { guardian_id: vito.id, child_id: uma.id, since: world.now },
      ])
      .execute()
    assert.ok((await mergeAccounts(contextAs(world, OLGA), { remainingId: uma.id, otherId: vito.id }, tools)).ok)
    const rows = await write.selectFrom('guardianship').select(['guardian_id', 'child_id']).execute()
    assert.deepEqual(rows, [{ guardian_id: uma.id, child_id: child.id }])
  })
})
