import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { RequestContext } from '#platform/auth/context.ts'
import { openDatabase } from '#platform/db/pool.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, NORD, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import type { FixedPerson } from '../rules/chosen.ts'
import type { Pool } from '../rules/pool.ts'
import type { ProposalInput, ScopedShift } from '../rules/proposal.ts'
import type { FillOptions, FillScope } from '../schema.ts'
import { findFormerNames } from './former-names.ts'
import { getLastRun } from './last-run.ts'
import { findPeople, loadProposal } from './proposal.ts'
import { findScopedShifts } from './scope.ts'

const HOUR_MS = 3_600_000
const at = (time: string, day = '20') => `2031-05-${day}T${time}:00Z`
const local = ({ id }: Person) => ({ kind: 'local' as const, id })

describe('what a proposal starts from', async () => {
  const world = await openWorld()
  const { write } = world.db
  const as = (person: Person, later = 0): RequestContext => ({
    ...contextAs(world, person),
    now: new Date(world.now.getTime() + later),
    words: wordsFor('en', world.app.site.timeZone),
  })
  const paul = as(PAUL)
  beforeEach(async () => {
    for (const table of ['fill_run', 'participation', 'event'] as const) await write.deleteFrom(table).execute()
  })
  const addEvent = (shifts: object[], more: object = {}) =>
    world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts, ...more })
  const scoped = async (scope: FillScope, context = paul) => findScopedShifts(context, scope)

  test('shifts to come that the caller plans, in order, of the shift, event or month', async () => {
    const first = await addEvent([
      { start: at('10:00'), label: 'B' },
      { start: at('09:00'), label: 'A', flow: 'manual' },
    ])
    // The month of the organisation begins two hours before that of UTC.
    const other = await addEvent([{ start: '2031-05-31T21:59:59Z' }, { start: '2031-05-31T22:00:00Z' }])
    await addEvent([{ start: at('10:00') }], { draft: true })
    await addEvent([{ start: at('10:00') }], { cancelled: true })
    await addEvent([{ start: at('10:00') }], { responsible: [VERA] })
    const now = await addEvent([{ start: world.now.toISOString() }, { start: new Date(world.now.getTime() + 1).toISOString() }])
    const ids = async (scope: FillScope, context = paul) => (await scoped(scope, context)).map(({ id }) => id)
    const [b, a] = first.shifts as [number, number]
    assert.deepEqual(await ids({ kind: 'shift', id: b }), [b])
    assert.deepEqual(await ids({ kind: 'event', id: first.id }), [a, b])
    assert.deepEqual(await ids({ kind: 'event', id: first.id }, as(ANN)), [])
    assert.deepEqual(await ids({ kind: 'event', id: now.id }), [now.shifts[1]])
    assert.deepEqual(await ids({ kind: 'month', month: '2031-05' }), [now.shifts[1], a, b, other.shifts[0]])
    assert.deepEqual(await ids({ kind: 'month', month: '2031-06' }), [other.shifts[1]])
    const [row] = await scoped({ kind: 'shift', id: a })
    assert.deepEqual(row, {
      id: a,
      eventId: first.id,
      eventTitle: 'Harbour run',
      label: 'A',
      start: new Date(at('09:00')),
      end: new Date(at('10:00')),
      flowSlug: 'manual',
    })
  })

  test('people who asked, and for everyone those who see the events, who took part longest ago first', async () => {
    const [cem, dora, eve] = [
      await world.addPerson({ name: 'Cem' }),
      await world.addPerson({ name: 'Dora' }),
      await world.addPerson({ name: 'Eve' }),
    ]
    const group = await world.addGroup('Team', [cem, dora])
    const closed = await world.addPerson({ name: 'Closed', isActive: false })
    const hidden = await world.addPerson({ name: 'Hidden', isVisible: false })
    const first = await addEvent([{ start: at('10:00') }, { start: at('12:00') }], {
      seenBy: [group, closed, hidden],
      responsible: [PAUL],
    })
    const second = await addEvent([{ start: at('10:00') }], { seenBy: [group], responsible: [] })
    const outside = await addEvent([{ start: at('10:00') }], { seenBy: [eve, dora], responsible: [] })
    const past = await addEvent([{ start: '2031-04-01T10:00:00Z' }, { start: '2031-04-02T10:00:00Z' }], {
      seenBy: [],
      responsible: [],
    })
    await world.addParticipation({ who: cem, shift: past.shifts[1]!, state: 1 })
    await world.addParticipation({ who: dora, shift: past.shifts[0]!, state: 1 })
    await world.addParticipation({ who: PAUL, shift: past.shifts[1]!, state: 2 })
    await world.addParticipation({ who: dora, shift: outside.shifts[0]!, state: 0 })
    const shift = first.shifts[0]!
    const guest = await world.addParticipation({ who: { guest: { name: 'Gus' } }, shift, state: 0 })
    const visitor = await world.addParticipation({ who: { visitor: { name: 'Vic' }, of: NORD }, shift, state: 0 })
    await world.addParticipation({ who: { placeholder: 'Driver' }, shift, state: 0 })
    await world.addParticipation({ who: VERA, shift, state: 1 })
    await world.addParticipation({ who: OLGA, shift, state: 0 })
    await world.addParticipation({ who: OLGA, shift: second.shifts[0]!, state: 0 })
    const idOf = async (id: number, column: 'guest_id' | 'visitor_id') =>
      (await write.selectFrom('participation').select(column).where('id', '=', id).executeTakeFirstOrThrow())[
        column as 'guest_id'
      ]!
    const gus = `guest ${await idOf(guest, 'guest_id')}`
    const vic = `visitor ${await idOf(visitor, 'visitor_id')}`
    const shifts = (ids: [number, number][]) => ids.map(([id, eventId]) => ({ id, eventId })) as ScopedShift[]
    const both = shifts([
      [shift, first.id],
      [second.shifts[0]!, second.id],
    ])
    const found = async (pool: Pool, fixed: FixedPerson[] = [], of = both) =>
      (await findPeople(paul, of, { pool, fixed })).map(({ who, eventIds }) => [
        'kind' in who ? `${who.kind} ${who.id}` : '',
        [...eventIds].sort((a, b) => a - b),
      ])
    const requesters = [
      [gus, [first.id]],
      [`local ${OLGA.id}`, [first.id, second.id]],
      [vic, [first.id]],
    ]
    const sorted = (all: unknown[][]) => all.toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))
    assert.deepEqual(sorted(await found('requested')), requesters)
    const everyone = await found('everyone')
    assert.deepEqual(sorted(everyone.slice(0, 3)), requesters)
    assert.deepEqual(everyone.slice(3), [
      [`local ${PAUL.id}`, [first.id]],
      [`local ${dora.id}`, [first.id, second.id]],
      [`local ${cem.id}`, [first.id, second.id]],
    ])
    const fixed = [cem, eve, closed, OLGA].map((who) => ({ placeId: 'a', who: local(who) }))
    assert.deepEqual((await found('requested', fixed)).slice(3), [[`local ${cem.id}`, [first.id, second.id]]])
    assert.equal((await found('everyone', fixed))[3]![0], `local ${cem.id}`, 'whom the planner keeps is among the first')
    assert.deepEqual(await found('requested', [], shifts([[first.shifts[1]!, first.id]])), [])
    const former = [cem, eve, OLGA, PAUL].map((who) => ({ placeId: 'a', who: local(who) }))
    assert.deepEqual(
      [...(await findFormerNames(paul, both, former))].sort(),
      [
        [`local-${OLGA.id}`, 'Olga'],
        [`local-${PAUL.id}`, 'Paul'],
        [`local-${cem.id}`, 'Cem'],
      ].sort(),
      'Eve sees none of the events',
    )
  })

  describe('for the search', () => {
    const uniform = (minimum: number, maximum?: number) => ({
      configuration: {
        minimum_number_of_participants: minimum,
        ...(maximum ? { maximum_number_of_participants: maximum } : {}),
      },
    })
    const load = async (eventId: number, more: Partial<FillOptions> = {}, context = paul) => {
      const inputs: ProposalInput[] = []
      const options: FillOptions = {
        scope: { kind: 'event', id: eventId },
        pool: undefined,
        isOptionalFilled: false,
        fixed: [],
        ...more,
      } as FillOptions
      const search = async (input: ProposalInput) => {
        inputs.push(input)
        const places = input.places.map((place) => ({ place, choices: [], gap: undefined }))
        return { total: 0, bound: 0, isOptimal: true, places, isOutOfTime: false } as never
      }
      const proposal = await loadProposal(context, options, { search })
      return { input: inputs[0]!, proposal }
    }
    const chancesOf = ({ input, proposal }: Awaited<ReturnType<typeof load>>, { id }: { id: number }, shift: number) => {
      const number = [...proposal.people].find(([, { who }]) => 'kind' in who && who.kind === 'local' && who.id === id)?.[0]
      return input.candidates.find((candidate) => candidate.id === number)?.chances.get(shift)
    }

    test('shifts with open places, those that are full counted, those that cannot be filled named', async () => {
      const { id, shifts } = await addEvent([
        { start: at('08:00'), ...uniform(2, 3) },
        { start: at('09:00'), ...uniform(1) },
        { start: at('10:00'), flow: 'coupled', ...uniform(1) },
        { start: at('11:00'), structure: 'lottery' },
        { start: at('12:00'), ...uniform(0, 2) },
      ])
      await world.addParticipation({ who: BEN, shift: shifts[0]!, state: 1 })
      await world.addParticipation({ who: BEN, shift: shifts[1]!, state: 1 })
      const { input, proposal } = await load(id)
      assert.deepEqual(
        input.places.map(({ shiftId, count, isRequired, place }) => [shiftId, count, isRequired, place]),
        [[shifts[0], 1, true, null]],
      )
      assert.deepEqual(input.shifts, [{ id: shifts[0], start: new Date(at('08:00')), end: new Date(at('09:00')) }])
      assert.deepEqual(
        [proposal.shifts.map((one) => one.id), proposal.filled, proposal.skipped.map((one) => one.id), proposal.pool],
        [[shifts[0]], 2, [shifts[2], shifts[3]], 'everyone'],
      )
      assert.deepEqual([proposal.hasMoreShifts, proposal.hasMorePeople, proposal.lost], [false, false, 0])
      const optional = await load(id, { isOptionalFilled: true })
      assert.deepEqual(
        optional.input.places.map(({ shiftId, count, isRequired }) => [shiftId, count, isRequired]),
        [
          [shifts[0], 1, true],
          [shifts[0], 1, false],
          [shifts[4], 2, false],
        ],
      )
      assert.equal(optional.proposal.filled, 1)
    })

    test('also if a statement takes longer than one of a page may', async () => {
      const { id } = await addEvent([{ start: at('08:00'), ...uniform(1) }])
      const { read, close } = openDatabase({ url: world.databaseUrl, timeouts: { statementTimeoutMs: 2_000 } })
      const waitedMs = async (): Promise<number> => {
        const { rows } = await sql<{ ms: number }>`
          select extract(epoch from clock_timestamp() - query_start)::float8 * 1000 as ms from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(write)
        return rows[0]?.ms ?? 0
      }
      const { loading } = await write.transaction().execute(async (tx) => {
        await sql`lock table user_group_member in access exclusive mode`.execute(tx)
        const loading = load(id, {}, { ...paul, db: read })
        const outcome = loading.then(
          () => 'done',
          (error) => error.code,
        )
        while ((await waitedMs()) < 2_200) if ((await Promise.race([outcome, 'waits'])) !== 'waits') break
        return { loading }
      })
      assert.deepEqual([...(await loading).proposal.people.values()].map(({ name }) => name).sort(), ['Ann', 'Ben', 'Paul'])
      await close()
    })

    test('requesters if there are some, with what each did, and who was kept', async () => {
      const { id, shifts } = await addEvent([{ start: at('08:00'), ...uniform(1) }])
      const [shift] = shifts as [number]
      await world.addParticipation({ who: { placeholder: 'Driver' }, shift, state: 0 })
      assert.equal((await load(id)).proposal.pool, 'everyone')
      await world.addParticipation({ who: BEN, shift, state: 0 })
      const past = await addEvent([{ start: new Date(world.now.getTime() - 48 * HOUR_MS).toISOString() }])
      await world.addParticipation({ who: BEN, shift: past.shifts[0]!, state: 1 })
      const { proposal, input } = await load(id)
      assert.equal(proposal.pool, 'requested')
      assert.deepEqual(
        [...proposal.people.values()].map(({ who, name, versions, ledger }) => [who, name, [...versions], ledger?.doneHours]),
        [[local(BEN), 'Ben', [[shift, 1]], 1]],
      )
      assert.deepEqual([input.fixed, proposal.averageHours], [[], 1])
      const [place] = input.places
      const fixed = [
        { placeId: place!.id, who: local(ANN) },
        { placeId: 'gone', who: local(OLGA) },
      ]
      const kept = await load(id, { fixed })
      const number = [...kept.proposal.people].find(([, { name }]) => name === 'Ann')![0]
      assert.deepEqual(kept.input.fixed, [{ placeId: place!.id, id: number }])
      assert.deepEqual(
        [
          kept.proposal.isFixed(place!.id, number),
          kept.proposal.isFixed(place!.id, number + 1),
          kept.proposal.isFixed('x', number),
        ],
        [true, false, false],
      )
      assert.deepEqual([kept.proposal.lost, kept.proposal.averageHours], [2, 0.5], 'the search kept nobody')
      const everyone = await load(id, { pool: 'everyone' })
      assert.deepEqual([...everyone.proposal.people.values()].map(({ name }) => name).sort(), ['Ann', 'Ben', 'Paul'])
    })

    test('what speaks against each person', async () => {
      const medic = await world.addQualification('Medic')
      await world.holds(ANN, medic)
      const cannot = (who: Person, kind: 'can' | 'cannot') =>
        write
          .insertInto('day_period')
          .values({ user_id: who.id, kind, first_day: '2031-05-20', last_day: '2031-05-20' })
          .execute()
      const { id, shifts } = await addEvent(
        [
          { start: at('08:00'), ...uniform(2) },
          {
            start: at('12:00'),
            structure: 'qualification_mix',
            configuration: { qualification_requirements: [{ qualification: medic.id, min_count: 1 }] },
          },
        ],
        { seenBy: [HELPERS, OLGA, VERA] },
      )
      const [shift, medics] = shifts as [number, number]
      await world.addParticipation({ who: OLGA, shift, state: 2 })
      await world.addParticipation({ who: VERA, shift, state: 3 })
      await world.addParticipation({ who: PAUL, shift, state: 1 })
      const loaded = await load(id, { pool: 'everyone' })
      const of = (who: Person, where = shift) => chancesOf(loaded, who, where)
      const none = {
        qualifiedFor: [],
        isRequested: false,
        wished: undefined,
        hasOtherWish: false,
        isAvailable: false,
        warnings: [],
      }
      assert.deepEqual(of(OLGA), { ...none, obstacle: 'declined' })
      assert.deepEqual(of(VERA), { ...none, obstacle: 'rejected' })
      assert.equal(of(PAUL), undefined, 'confirmed already')
      const [place] = loaded.input.places
      assert.deepEqual(of(ANN), { ...none, obstacle: undefined, qualifiedFor: [place!.id] })
      assert.equal(of(ANN, medics)?.obstacle, undefined)
      assert.equal(of(BEN, medics)?.obstacle, 'not_qualified')
      await cannot(ANN, 'cannot')
      await cannot(BEN, 'can')
      const said = await load(id, { pool: 'everyone' })
      assert.equal(chancesOf(said, ANN, shift)?.obstacle, 'unavailable')
      assert.deepEqual(chancesOf(said, BEN, shift), {
        ...none,
        obstacle: undefined,
        qualifiedFor: [place!.id],
        isAvailable: true,
      })
      await world.addParticipation({ who: ANN, shift, state: 0 })
      const asked = await load(id, { pool: 'everyone' })
      assert.deepEqual(
        [chancesOf(asked, ANN, shift)?.obstacle, chancesOf(asked, ANN, shift)?.isRequested],
        [undefined, true],
        'who asks wants it',
      )
      await write.deleteFrom('day_period').execute()
      const second = await addEvent([{ start: at('08:00', '21'), ...uniform(1) }], { seenBy: [], responsible: [PAUL] })
      const month = await load(id, { pool: 'everyone', scope: { kind: 'month', month: '2031-05' } })
      assert.equal(chancesOf(month, ANN, second.shifts[0]!)?.obstacle, 'not_visible')
    })
  })

  test('the last run is the own one, for a day, unless it was undone', async () => {
    const { id, shifts } = await addEvent([
      { start: at('12:00'), label: 'Late' },
      { start: at('08:00'), label: 'Early' },
    ])
    const ben = await world.addParticipation({ who: BEN, shift: shifts[1]!, state: 1 })
    const ann = await world.addParticipation({ who: ANN, shift: shifts[1]!, state: 1 })
    const guest = await world.addParticipation({ who: { guest: { name: 'Gus' } }, shift: shifts[1]!, state: 1 })
    const late = await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 1 })
    const addRun = async (by: Person, ago: number, places: number[], undone = false) => {
      const applied = new Date(world.now.getTime() - ago)
      const values = { user_id: by.id, applied_at: applied, undone_at: undone ? world.now : null }
      const run = await write.insertInto('fill_run').values(values).returning('id').executeTakeFirstOrThrow()
      if (places.length)
        await write
          .insertInto('fill_place')
          .values(places.map((participation_id, index) => ({ run_id: run.id, participation_id, entry_id: index + 1 })))
          .execute()
      return run.id
    }
    assert.ok(id)
    assert.equal(await getLastRun(paul), undefined)
    await addRun(OLGA, 0, [ben])
    await addRun(PAUL, 1000, [ben], true)
    const run = await addRun(PAUL, 2000, [late, guest, ben, ann])
    await addRun(PAUL, 3000, [])
    const line = (name: string | null, label: string, hour: number) => ({
      name,
      eventTitle: 'Harbour run',
      label,
      start: new Date(Date.UTC(2031, 4, 20, hour)),
      end: new Date(Date.UTC(2031, 4, 20, hour + 1)),
    })
    assert.deepEqual(await getLastRun(paul), {
      id: run,
      appliedAt: new Date(world.now.getTime() - 2000),
      people: [line('Ann', 'Early', 8), line('Ben', 'Early', 8), line(null, 'Early', 8), line('Ann', 'Late', 12)],
    })
    const day = 24 * HOUR_MS
    assert.equal((await getLastRun(as(PAUL, day - 2000)))?.id, run)
    assert.equal(await getLastRun(as(PAUL, day - 1999)), undefined)
  })
})
