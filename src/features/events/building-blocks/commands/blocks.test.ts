import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { recomputeStatistics } from '#features/staffing/staffing/jobs.ts'
import { transact } from '#platform/db/transaction.ts'
import { contextAs } from '#test/support/command-context.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { ANN, BEN, HELPERS, OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { loadBlocks } from '../queries.ts'
import type { Draft } from '../rules/draft.ts'
import { changeBlock, copyBlock, createBlock, deleteBlock, draftOf, GUARD, type Guard } from './blocks.ts'

const position = (label = '', qualificationIds: number[] = []) => ({ id: null, label, optional: false, qualificationIds })
const unit = (name: string, positions = [position()]): Draft => ({
  name,
  blockType: 'atomic',
  allowMore: false,
  positions,
  compositions: [],
  requirements: [],
})
const group = (name: string, ...subs: number[]): Draft => ({
  name,
  blockType: 'composite',
  allowMore: false,
  positions: [],
  requirements: [],
  compositions: subs.map((subBlockId) => ({ id: null, subBlockId, label: '', optional: false })),
})

describe('editing blocks', async () => {
  const world = await openWorld()
  const { databaseUrl: url } = world
  const db = openTestDatabase({ url, reads: 2, writes: 4 })
  after(db.close)
  const contextOf = () => contextAs(world, OLGA, db)
  const block = async (id: number) => (await loadBlocks(db.write, [id])).get(id)
  const make = async (draft: Draft): Promise<number> => {
    const made = await createBlock(contextOf(), draft)
    assert.ok(made.ok, JSON.stringify(made))
    return made.id
  }
  const change = async (id: number, edit: (draft: Draft) => Draft, { seen = [] as number[], guard = GUARD } = {}) => {
    const before = (await block(id))!
    return changeBlock(contextOf(), { id, version: before.version, draft: edit(draftOf(before)), seen }, guard)
  }
  const shiftOf = (blockId: number, more = {}) =>
    world.addEvent({
      seenBy: [HELPERS],
      shifts: [{ structure: 'complex', configuration: { starting_blocks: [{ uuid: 'a', building_block: blockId }] }, ...more }],
    })

  test('keeps the ids of unchanged rows, so that people keep their units', async () => {
    const [inner, other] = [await make(unit('Inner')), await make(unit('Other'))]
    const id = await make(group('Outer', inner, inner, other))
    const [first, second, third] = (await block(id))!.compositions.map((row) => row.id)
    const edit = (draft: Draft) => ({
      ...draft,
      compositions: [
        draft.compositions[2]!,
        { ...draft.compositions[0]!, label: 'North' },
        { ...group('', other).compositions[0]! },
      ],
    })
    assert.ok((await change(id, edit)).ok)
    const after = (await block(id))!.compositions
    assert.deepEqual(
      after.slice(0, 2).map((row) => [row.id, row.label]),
      [
        [first, 'North'],
        [third, ''],
      ],
    )
    assert.ok(!after.some((row) => row.id === second))
    const crew = await make(unit('Crew', [position('Driver'), position('Medic')]))
    const [driver, medic] = (await block(crew))!.positions.map((row) => row.id)
    await change(crew, (draft) => ({ ...draft, positions: [draft.positions[1]!, position('New')] }))
    const positions = (await block(crew))!.positions
    assert.equal(positions[0]!.id, medic)
    assert.ok(!positions.some((row) => row.id === driver))
  })

  test('ignores ids of other blocks', async () => {
    const [mine, foreign] = [await make(unit('Mine')), await make(unit('Foreign', [position('theirs')]))]
    const stolen = (await block(foreign))!.positions[0]!.id
    assert.ok((await change(mine, (draft) => ({ ...draft, positions: [{ ...position('x'), id: stolen }] }))).ok)
    assert.deepEqual(
      (await block(foreign))!.positions.map((row) => [row.id, row.label]),
      [[stolen, 'theirs']],
    )
    assert.notEqual((await block(mine))!.positions[0]!.id, stolen)
  })

  test('is refused with an outdated version', async () => {
    const id = await make(unit('Versioned'))
    const { version } = (await block(id))!
    assert.ok((await change(id, (draft) => ({ ...draft, name: 'First' }))).ok)
    const late = await changeBlock(contextOf(), { id, version, draft: unit('Second'), seen: [] })
    assert.deepEqual(late, { ok: false, reason: 'changed_meanwhile' })
    assert.equal((await block(id))!.name, 'First')
  })

  test('is refused if it affects shifts that were not shown', async () => {
    const inner = await make(unit('Shared'))
    const outer = await make(group('Around', inner))
    const { shifts } = await shiftOf(outer)
    const rename = (draft: Draft) => ({ ...draft, name: 'Renamed' })
    assert.deepEqual(await change(inner, rename), { ok: false, reason: 'unseen_shifts' })
    const { shifts: added } = await shiftOf(inner)
    assert.deepEqual(await change(inner, rename, { seen: shifts }), { ok: false, reason: 'unseen_shifts' })
    assert.equal((await block(inner))!.name, 'Shared')
    assert.ok((await change(inner, rename, { seen: [...shifts, ...added] })).ok)
  })

  test('updates statistics and API; ended shifts stay unchanged', async () => {
    const id = await make(unit('Counted'))
    const { shifts } = await shiftOf(id, { stats: { missing: 1, free: 1, min: 1, max: 1 } })
    const { shifts: ended } = await shiftOf(id, { start: '2031-04-01T08:00:00Z', stats: { missing: 1, free: 1, min: 1, max: 1 } })
    await change(id, (draft) => ({ ...draft, positions: [...draft.positions, position('Second'), position('Third')] }), {
      seen: shifts,
    })
    await recomputeStatistics(db.write)
    const ann = world.as(ANN, 'PUBLIC_READ')
    const stats = async (shift: number) => (await ann.get(`/api/shifts/${shift}/`)).body.signup_stats
    assert.deepEqual([(await stats(shifts[0]!)).missing, (await stats(shifts[0]!)).max_count], [3, 3])
    assert.deepEqual([(await stats(ended[0]!)).missing, (await stats(ended[0]!)).max_count], [1, 1])
    const marked = await db.read.selectFrom('shift').select('stats_stale').where('id', '=', ended[0]!).executeTakeFirstOrThrow()
    assert.equal(marked.stats_stale, false)
    const { body } = await ann.get(`/api/buildingblocks/${id}/`)
    assert.deepEqual(
      body.positions.map(({ label }: { label: string }) => label),
      ['', 'Second', 'Third'],
    )
  })

  test('keeps people in their units; deleting a block makes them unassigned', async () => {
    const inner = await make(unit('Boat', [position('A'), position('B')]))
    const outer = await make(group('Fleet', inner, inner))
    const path = `root.a.${(await block(outer))!.compositions[1]!.id}.`
    const { shifts } = await shiftOf(outer)
    const [shift] = shifts
    await world.addParticipation({ who: BEN, shift: shift!, data: { dispatched_unit_path: path } })
    const seen = { seen: shifts }
    await change(outer, (draft) => ({ ...draft, compositions: draft.compositions.map((row) => ({ ...row, label: 'x' })) }), seen)
    await recomputeStatistics(db.write)
    const stats = async () => (await world.as(ANN, 'PUBLIC_READ').get(`/api/shifts/${shift}/`)).body.signup_stats
    assert.deepEqual([(await stats()).missing, (await stats()).confirmed_count], [3, 1])
    assert.deepEqual(await deleteBlock(contextOf(), { id: inner, seen: [] }), { ok: false, reason: 'unseen_shifts' })
    const { version } = (await block(outer))!
    assert.ok((await deleteBlock(contextOf(), { id: inner, seen: shifts })).ok)
    await recomputeStatistics(db.write)
    assert.deepEqual([(await stats()).missing, (await stats()).confirmed_count, (await stats()).max_count], [0, 1, 0])
    assert.ok((await block(outer))!.version > version, 'an open editor of the outer block hears of it')
  })

  const log = async (id: number) =>
    (
      await db.write
        .selectFrom('journal')
        .select(['kind', 'changes'])
        .where('subject_kind', '=', 'building_block')
        .where('subject_id', '=', id)
        .orderBy('id')
        .execute()
    ).map(({ kind, changes }) => [kind, changes])

  test('is refused for blocks that do not exist', async () => {
    const version = 1
    assert.deepEqual(await changeBlock(contextOf(), { id: 0, version, draft: unit('None'), seen: [] }), {
      ok: false,
      reason: 'gone',
    })
    assert.deepEqual(await deleteBlock(contextOf(), { id: 0, seen: [] }), { ok: false, reason: 'gone' })
    assert.equal(await copyBlock(contextOf(), 0, 'Copy'), undefined)
    const wrong = await createBlock(contextOf(), unit(''))
    assert.equal(!wrong.ok && wrong.reason, 'wrong')
    assert.deepEqual(await log(0), [])
  })

  test('stores every part, and tells the log what was there', async () => {
    const medic = await world.addQualification('Medic')
    const driver = await world.addQualification('Driver')
    const draft: Draft = {
      ...unit('Crew', [position('Lead', [medic.id, driver.id]), { ...position('Second'), optional: true }]),
      allowMore: true,
      requirements: [
        { id: null, everyone: false, atLeast: '2', qualificationIds: [driver.id] },
        { id: null, everyone: true, atLeast: '5', qualificationIds: [medic.id] },
      ],
    }
    const id = await make(draft)
    const other = await make(unit('Other', [position('Alone', [driver.id])]))
    const partsOf = async (of: number) => {
      const { name, allowMore, blockType, positions, requirements, compositions } = (await block(of))!
      return {
        name,
        allowMore,
        blockType,
        positions: positions.map(({ label, optional, qualificationIds }) => [label, optional, [...qualificationIds].sort()]),
        requirements: requirements.map(({ everyone, atLeast, qualificationIds }) => [everyone, atLeast, qualificationIds]),
        compositions: compositions.map(({ label, optional, subBlockId }) => [label, optional, subBlockId]),
      }
    }
    const both = [medic.id, driver.id].sort()
    const stored = {
      name: 'Crew',
      allowMore: true,
      blockType: 'atomic',
      positions: [
        ['Lead', false, both],
        ['Second', true, []],
      ],
      requirements: [
        [false, 2, [driver.id]],
        [true, 0, [medic.id]],
      ],
      compositions: [],
    }
    assert.deepEqual(await partsOf(id), stored)
    const before = (await block(id))!
    const ids = [before.positions.map((row) => row.id), before.requirements.map((row) => row.id)]
    const edit = (old: Draft): Draft => ({
      ...old,
      name: 'Team',
      positions: [{ ...old.positions[0]!, label: 'First', qualificationIds: [medic.id] }],
      requirements: [{ ...old.requirements[1]!, everyone: false, atLeast: '1', qualificationIds: [driver.id] }],
    })
    assert.ok((await change(id, edit)).ok)
    const after = { ...stored, name: 'Team', positions: [['First', false, [medic.id]]], requirements: [[false, 1, [driver.id]]] }
    assert.deepEqual(await partsOf(id), after)
    const changed = (await block(id))!
    assert.deepEqual([changed.positions[0]!.id, changed.requirements[0]!.id], [ids[0]![0], ids[1]![1]], 'rows keep their ids')
    assert.equal(changed.version > before.version, true)
    assert.deepEqual((await partsOf(other)).positions, [['Alone', false, [driver.id]]])
    const outer = await make({ ...group('Outer', id), allowMore: true })
    const twice = (old: Draft): Draft => ({
      ...old,
      compositions: [
        { ...old.compositions[0]!, label: 'North', optional: true, subBlockId: other },
        { ...old.compositions[0]!, label: 'South' },
      ],
    })
    assert.ok((await change(outer, twice)).ok)
    const composed = [
      ['North', true, other],
      ['South', false, id],
    ]
    assert.deepEqual(await partsOf(outer), {
      ...stored,
      name: 'Outer',
      blockType: 'composite',
      allowMore: false,
      positions: [],
      requirements: [],
      compositions: composed,
    })
    const copy = (await copyBlock(contextOf(), outer, 'x'.repeat(300)))!
    assert.deepEqual(await partsOf(copy), { ...(await partsOf(outer)), name: 'x'.repeat(255) })
    const crew = (await copyBlock(contextOf(), id, 'Twin'))!
    assert.deepEqual(await partsOf(crew), { ...after, name: 'Twin' })
    assert.deepEqual(await log(crew), [['building_block.created', { name: 'Twin', copy_of: id }]])
    const deleted = await deleteBlock(contextOf(), { id: crew, seen: [] })
    assert.deepEqual(deleted, { ok: true, name: 'Twin' })
    assert.equal(await block(crew), undefined)
    const summary = (row: NonNullable<typeof before>) => ({
      name: row.name,
      allow_more: row.allowMore,
      positions: row.positions,
      compositions: [],
      requirements: row.requirements,
    })
    assert.deepEqual(await log(id), [
      ['building_block.created', { name: 'Crew', block_type: 'atomic' }],
      ['building_block.changed', { name: 'Team', before: summary(before), shifts: 0 }],
    ])
    const [, gone] = await log(crew)
    assert.deepEqual([gone![0], (gone![1] as { shifts: number }).shifts], ['building_block.deleted', 0])
    const north = ((await log(outer)).at(-1)![1] as { before: { compositions: { label: string }[] } }).before.compositions
    assert.deepEqual(north, [{ sub_block: before.uuid, label: '', optional: false }])
  })

  test('cannot change the kind of a block', async () => {
    const id = await make(unit('Fixed'))
    const { version } = (await block(id))!
    const outcome = await changeBlock(contextOf(), { id, version, draft: group('Fixed', id), seen: [] })
    assert.deepEqual(outcome, { ok: false, reason: 'gone' })
  })

  const waits = async () => {
    for (;;) {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db.read)
      if (rows[0]!.n > 0) return
    }
  }

  /** Starts the second edit after the checks of the first, and continues the first when the second is done or waits. */
  async function race(guard: Pick<Guard, 'lock'>) {
    const leaf = await make(unit('Leaf'))
    const [a, b] = [await make(group('A', leaf)), await make(group('B', leaf))]
    const add = (id: number) => (draft: Draft) => ({
      ...draft,
      compositions: [...draft.compositions, ...group('', id).compositions],
    })
    let second: Promise<unknown> = Promise.resolve()
    const first = await change(a, add(b), {
      guard: {
        ...guard,
        checked: async () => {
          second = change(b, add(a), { guard: { ...guard, checked: async () => {} } }).catch((error) => error)
          await Promise.race([second, waits()])
        },
      },
    }).catch((error) => error)
    return { outcomes: [first, await second] as { ok: boolean; complaints?: { key: string; params: { path: string } }[] }[] }
  }

  test('of two concurrent edits that create a cycle, the second is refused with its path', async () => {
    const { outcomes } = await race(GUARD)
    assert.equal(outcomes[0]!.ok, true)
    assert.deepEqual(
      outcomes[1]!.complaints!.map(({ key, params }) => [key, params.path]),
      [['cycle', 'B → A → B']],
    )
  })

  test('without the lock and the trigger, both edits are saved and create a cycle', async () => {
    await sql`alter table block_composition disable trigger block_composition_acyclic`.execute(db.write)
    try {
      const { outcomes } = await race({ lock: async () => {} })
      assert.deepEqual(
        outcomes.map(({ ok }) => ok),
        [true, true],
      )
    } finally {
      await sql`delete from building_block where name in ('A', 'B')`.execute(db.write)
      await sql`alter table block_composition enable trigger block_composition_acyclic`.execute(db.write)
    }
  })

  /** Changes a block while an uncommitted transaction writes a shift that uses it. */
  async function changeMeanwhile() {
    const id = await make(unit('Awaited'))
    const { id: eventId } = await world.addEvent({ seenBy: [HELPERS] })
    let saving: ReturnType<typeof change> | undefined
    const shiftId = await transact(db.write, async (tx) => {
      const [start, end] = [new Date('2031-06-01T08:00:00Z'), new Date('2031-06-01T10:00:00Z')]
      const configuration = JSON.stringify({ starting_blocks: [{ uuid: 'a', building_block: id }] })
      const times = { event_id: eventId, meeting_time: start, start_time: start, end_time: end }
      const structure = { signup_flow_slug: 'manual', structure_slug: 'complex', structure_configuration: configuration }
      const row = await tx
        .insertInto('shift')
        .values({ ...times, ...structure })
        .returning('id')
        .executeTakeFirstOrThrow()
      saving = change(id, (draft) => ({ ...draft, name: 'Changed' }))
      await Promise.race([saving, waits()])
      return row.id
    })
    return { id, shiftId, outcome: await saving }
  }
  const isStale = async (id: number) =>
    (await db.read.selectFrom('shift').select('stats_stale').where('id', '=', id).executeTakeFirstOrThrow()).stats_stale

  test('waits for a shift that is being written, asks for confirmation, and marks it', async () => {
    const { id, shiftId, outcome } = await changeMeanwhile()
    assert.deepEqual(outcome, { ok: false, reason: 'unseen_shifts' })
    assert.ok((await change(id, (draft) => ({ ...draft, name: 'Changed' }), { seen: [shiftId] })).ok)
    assert.equal(await isStale(shiftId), true)
  })

  test('misses the shift without the trigger', async () => {
    await sql`alter table shift disable trigger shift_reads_catalogue`.execute(db.write)
    try {
      const { shiftId, outcome } = await changeMeanwhile()
      assert.equal(outcome!.ok, true)
      assert.equal(await isStale(shiftId), false)
    } finally {
      await sql`alter table shift enable trigger shift_reads_catalogue`.execute(db.write)
    }
  })
})
