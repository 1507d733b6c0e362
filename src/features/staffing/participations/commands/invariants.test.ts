import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/db/transaction.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { fixIndividualTimes } from './cascades.ts'
import { GUARD } from './locks.ts'
import { customize, decline, type MoveOutcome, signUp } from './sign-up.ts'

const codeOf = (outcome: MoveOutcome) => (outcome.ok ? outcome.to : outcome.reasons.map(({ code }) => code).join())

describe('invariants of signing up', async () => {
  const world = await openWorld()
  const ann = contextAs(world, ANN)
  beforeEach(() => world.db.write.deleteFrom('participation').execute())
  const countOf = async (shiftId: number) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from participation where shift_id = ${shiftId}`.execute(world.db.read)
    return rows[0]!.count
  }
  const addShift = async (shift = {}) =>
    (await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [shift] })).shifts[0]!

  test('a person has one participation in a shift: a unique index guarantees it even without locks', async () => {
    const shiftId = await addShift()
    let isFirst = true
    const guard = {
      ...GUARD,
      lockPeople: async () => {},
      lockEvent: async () => true,
      // Between the checks and the writes of the first attempt, a second one completes.
      checked: async () => {
        if (!isFirst) return
        isFirst = false
        assert.equal(codeOf(await signUp(ann, { shiftId }, { ...guard, checked: async () => {} })), 0)
      },
    }
    await assert.rejects(signUp(ann, { shiftId }, guard), (error) => (error as { code?: string }).code === '23505')
    assert.equal(await countOf(shiftId), 1)
  })

  test('a missing participation cannot be customized, and nothing is written', async () => {
    const shiftId = await addShift()
    assert.equal(codeOf(await customize(ann, { shiftId, details: {}, comment: { text: 'Hi', isPublic: true } })), 'not_in')
    assert.equal(await countOf(shiftId), 0)
    await decline(ann, { shiftId })
    assert.equal(codeOf(await customize(ann, { shiftId, details: {} })), 'not_in', 'a person who declined signs up instead')
  })

  test('strings of a configuration stay strings: a team named like a date keeps its name', async () => {
    const team = { uuid: '2026-01-01', title: '2026-01-01', qualification: null, min_count: 0, max_count: 3 }
    const shiftId = await addShift({ structure: 'named_teams', configuration: { teams: [team] } })
    assert.equal(codeOf(await signUp(ann, { shiftId, details: { wish: '2026-01-01' } })), 0)
    const { body } = await world.withSession(OLGA).get(`/api/shifts/${shiftId}/`)
    assert.deepEqual((body as { structure_configuration: unknown }).structure_configuration, { teams: [team] })
    const { body: list } = await world.withSession(ANN).get('/api/users/me/participations/')
    const [own] = (list as { results: { structure_data: unknown }[] }).results
    assert.deepEqual(own!.structure_data, { preferred_team_uuid: '2026-01-01' })
  })

  test('a participation makes the event visible without a stored permission', async () => {
    const { id, shifts } = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })
    const shiftId = shifts[0]!
    const grants = () => world.db.read.selectFrom('event_user_grant').selectAll().where('event_id', '=', id).execute()
    const before = await grants()
    const sees = async () => (await world.withSession(ANN).get(`/api/events/${id}/`)).status
    assert.equal(codeOf(await signUp(ann, { shiftId })), 0)
    assert.deepEqual(await grants(), before)
    await world.db.write.deleteFrom('event_group_grant').where('event_id', '=', id).execute()
    for (const to of [0, 1, 2, 3] as const) {
      await moveOnBoard(contextAs(world, PAUL), { shiftId, who: { kind: 'local', id: ANN.id }, to })
      assert.equal(await sees(), 200, `state ${to}`)
    }
    assert.equal((await world.withSession(BEN).get(`/api/events/${id}/`)).status, 404)
    await world.db.write.updateTable('participation').set({ state: 4 }).where('shift_id', '=', shiftId).execute()
    assert.equal(await sees(), 404, 'not by an imported record that is on its way')
  })

  test('an imported participation in state 4 is shown and can be moved by a responsible; no move leads to that state', async () => {
    const shiftId = await addShift()
    const id = await world.addParticipation({ who: ANN, shift: shiftId, state: 4 })
    const shown = async () => {
      const { body } = await world.withSession(OLGA).get(`/api/participations-userinfo/?shift=${shiftId}`)
      return (body as { results: { id: number; state: { value: number } }[] }).results.map((one) => [one.id, one.state.value])
    }
    assert.deepEqual(await shown(), [[id, 4]])
    const who = { kind: 'local' as const, id: ANN.id }
    await assert.rejects(moveOnBoard(contextAs(world, PAUL), { shiftId, who, to: 4 as never }))
    assert.ok((await moveOnBoard(contextAs(world, PAUL), { shiftId, who, to: 1 })).ok)
    assert.deepEqual(await shown(), [[id, 1]])
  })

  test('a comment keeps the kind of its author when the author is deleted', async () => {
    const shiftId = await addShift()
    const who = { kind: 'local' as const, id: ANN.id }
    const comment = { text: 'See you', isHidden: false }
    await moveOnBoard(contextAs(world, PAUL), { shiftId, who, to: 1, comment })
    await world.db.write.updateTable('participation_comment').set({ author_id: null }).where('text', '=', 'See you').execute()
    const { rows } = await sql`select author_kind, author_id from participation_comment where text = 'See you'`.execute(
      world.db.read,
    )
    assert.deepEqual(rows, [{ author_kind: 'responsible', author_id: null }])
    const { body } = await world.withSession(OLGA).get(`/api/participations-userinfo/?shift=${shiftId}`)
    const [record] = (body as { results: { comments: { author: string }[] }[] }).results
    assert.notEqual(record!.comments[0]!.author, ANN.name, 'it is not taken for the participant’s own')
  })

  test('a shift that moves past the one individual time of a person gives them the former other end', async () => {
    const at = (hour: number) => new Date(Date.UTC(2031, 4, 20, hour))
    const times = { start: at(10).toISOString(), end: at(14).toISOString() }
    const [shift, other] = [await addShift(times), await addShift(times)]
    const people = []
    for (const [start, end] of [
      [12, null],
      [13, null],
      [null, 11],
      [null, 12],
      [13, 14],
      [10, 11],
      [null, null],
    ] as const) {
      const who = await world.addPerson({ name: `${start}-${end}` })
      const own = { individual_start_time: start && at(start), individual_end_time: end && at(end) }
      for (const shiftId of [shift, other]) {
        const id = await world.addParticipation({ who, shift: shiftId, state: 1 })
        await world.db.write.updateTable('participation').set(own).where('id', '=', id).execute()
      }
      people.push(who)
    }
    const ownTimes = async (shiftId: number) => {
      const rows = await world.db.write
        .selectFrom('participation')
        .select(['individual_start_time as start', 'individual_end_time as end'])
        .where('shift_id', '=', shiftId)
        .orderBy('user_id')
        .execute()
      return rows.map(({ start, end }) => [start?.getUTCHours() ?? null, end?.getUTCHours() ?? null])
    }
    const before = await ownTimes(other)
    const versionsOfComplete = async () =>
      (
        await sql<{ xmin: string }>`select xmin::text from participation
          where shift_id = ${shift} and individual_start_time is not null and individual_end_time is not null order by id`.execute(
          world.db.write,
        )
      ).rows
    const [late, early] = await versionsOfComplete()
    const fix = (start: number, end: number) =>
      transact(world.db.write, (tx) => fixIndividualTimes(tx, shift, { start: at(start), end: at(end) }))
    await fix(9, 12)
    const earlier = before.map(([start, end]) => (start === 13 && end === null ? [13, 14] : [start, end]))
    assert.deepEqual(await ownTimes(shift), earlier, 'who begins as it ends keeps that')
    await fix(12, 16)
    const later = earlier.map(([start, end]) => (start === null && end === 11 ? [10, 11] : [start, end]))
    assert.deepEqual(await ownTimes(shift), later, 'who ends as it begins keeps that')
    assert.deepEqual(await ownTimes(other), before, 'other shifts stay')
    const versions = await versionsOfComplete()
    assert.ok(
      [late, early].every((one) => versions.some(({ xmin }) => xmin === one!.xmin)),
      'complete times are not written again',
    )
    assert.equal(people.length, before.length)
  })
})
