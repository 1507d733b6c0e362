import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { type KyselyPlugin, sql } from 'kysely'
import { openText, placeText, seatText, unmatchedText } from '#features/staffing/staffing/views/explanations.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { newCard } from '../rules/cards.ts'
import { loadEventBoard } from './event-board.ts'
import { getBoardShift, getBoardState, loadBoard, loadProposal } from './shift-board.ts'

const time = (hour: number) => `2031-05-04T${String(hour).padStart(2, '0')}:00:00Z`

describe('the suggestion of the board', async () => {
  const world = await openWorld()
  const driver = await world.addQualification('Driver')
  const truck = await world.addQualification('Truck driver', [driver])
  beforeEach(async () => {
    await world.db.write.deleteFrom('participation').execute()
    await world.db.write.deleteFrom('qualification_grant').execute()
  })
  const titles = new Map([
    [driver.id, 'Driver'],
    [truck.id, 'Truck driver'],
  ])
  const { actor, now, site } = contextAs(world, PAUL)
  const context: RequestContext = { db: world.db.read, actor, now, site, words: wordsFor('en', 'UTC') }
  const reasonContext = { words: context.words, now, titleOf: (id: number) => titles.get(id)! }
  const proposalFor = async (shiftId: number, cards: Parameters<typeof loadProposal>[2] = []) =>
    loadProposal(context, (await getBoardShift(context, shiftId))!.shift, cards, 'all')
  const keyOf = ({ id }: Person) => `local-${id}`

  test('follows included qualifications, requires them until the end, and skips people confirmed elsewhere by now', async () => {
    const { shifts } = await world.addEvent({
      responsible: [PAUL],
      shifts: [
        {
          start: time(8),
          end: time(12),
          structure: 'qualification_mix',
          configuration: { qualification_requirements: [{ qualification: driver.id, min_count: 2, max_count: 3 }] },
        },
      ],
    })
    const elsewhere = await world.addEvent({ title: 'Regatta', shifts: [{ start: time(11), end: time(13) }] })
    const shift = shifts[0]!
    await world.holds(ANN, truck)
    await world.holds(BEN, driver)
    await world.holds(PAUL, driver, new Date(time(11)))
    for (const who of [ANN, BEN, PAUL]) await world.addParticipation({ who, shift, state: 0 })
    await world.addParticipation({ who: { placeholder: 'Crew' }, shift, state: 1 })
    await world.addParticipation({ who: OLGA, shift, state: 2 })
    await world.addParticipation({ who: BEN, shift: elsewhere.shifts[0]!, state: 1 })
    const { cards, sections, open } = await proposalFor(shift)
    assert.deepEqual(
      cards.map(({ name, state, isChanged, advice }) => {
        if (advice?.code === 'seat')
          return [name, state, isChanged, placeText(reasonContext, advice.seat.placeLabel), seatText(reasonContext, advice.seat)]
        return [name, state, isChanged, advice && unmatchedText(reasonContext, advice.reason).replace(/:.*/, '')]
      }),
      [
        ['Ann', 1, true, 'Driver', 'Needed here as Driver.'],
        ['Ben', 0, false, 'Confirmed for another shift at that time'],
        ['Crew', 1, false, undefined],
        ['Olga', 2, false, undefined],
        ['Paul', 0, false, 'Needs Driver, valid until the end.'],
      ],
    )
    assert.deepEqual(
      sections.map(({ id, rows }) => [id === 'rest' ? 'without a place' : 'Driver', rows.map(({ card }) => card.name)]),
      [
        ['Driver', ['Ann']],
        ['without a place', ['Crew']],
      ],
    )
    assert.deepEqual(
      open.map((one) => openText(reasonContext, one, String)),
      ['Driver: 1 place is open. None of the requests fits.'],
    )
    const stored = await world.db.read.selectFrom('participation').select('state').where('shift_id', '=', shift).execute()
    assert.deepEqual(stored.map(({ state }) => state).sort(), [0, 0, 0, 1, 2], 'a suggestion stores nothing')
  })

  test('keeps an unsaved confirmation between equals', async () => {
    const { shifts } = await world.addEvent({
      responsible: [PAUL],
      shifts: [{ configuration: { maximum_number_of_participants: 1 } }],
    })
    const shift = shifts[0]!
    await world.addParticipation({ who: ANN, shift, state: 0 })
    await world.addParticipation({ who: BEN, shift, state: 0 })
    const confirmed = async (cards: Parameters<typeof loadProposal>[2] = []) =>
      (await proposalFor(shift, cards)).cards.filter(({ state }) => state === 1).map(({ name }) => name)
    assert.deepEqual(await confirmed(), ['Ann'])
    assert.deepEqual(await confirmed([newCard(shift, keyOf(BEN), '1')!]), ['Ben'])
  })

  test('moves nobody on a shift with an unknown structure, and there is no board of a shift that does not exist', async () => {
    const { shifts } = await world.addEvent({ responsible: [PAUL], shifts: [{ structure: 'lottery' }] })
    await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 0 })
    const { cards, open } = await proposalFor(shifts[0]!)
    assert.deepEqual([cards.map(({ state, isChanged }) => [state, isChanged]), open], [[[0, false]], []])
    assert.equal(await getBoardShift(context, 999_999), undefined)
  })
})

describe('the board of a shift', async () => {
  const world = await openWorld()
  const as = (person: Person): RequestContext => {
    const { actor, now, site } = contextAs(world, person)
    return { db: world.db.read, actor, now, site, words: wordsFor('en', 'UTC') }
  }
  const teams = [
    { uuid: 'north', title: 'North' },
    { uuid: 'south', title: 'South' },
  ]
  const PLANS: [what: string, plan: object, data: object, targets: Record<number, string>][] = [
    ['without places', { structure: 'uniform' }, {}, { 0: '0', 1: '1', 2: '2', 3: '3' }],
    [
      'with teams, and none was chosen',
      { structure: 'named_teams', configuration: { teams } },
      {},
      { 0: '0', 1: '1', 2: '2', 3: '3' },
    ],
    [
      'with teams, and one was chosen',
      { structure: 'named_teams', configuration: { teams } },
      { dispatched_team_uuid: 'south' },
      { 0: '0', 1: '1:south', 2: '2', 3: '3' },
    ],
  ]
  for (const [what, plan, data, targets] of PLANS)
    test(`${what}: every card stays where it is unless it is moved`, async () => {
      const { shifts } = await world.addEvent({ responsible: [PAUL], shifts: [plan] })
      const states = [0, 1, 2, 3] as const
      for (const [index, state] of states.entries())
        await world.addParticipation({ who: [ANN, BEN, OLGA, PAUL][index]!, shift: shifts[0]!, state, data })
      const { shift } = (await getBoardShift(as(PAUL), shifts[0]!))!
      const { cards } = await loadBoard(as(PAUL), shift)
      assert.deepEqual(Object.fromEntries(cards.map(({ state, to }) => [state, to])), targets)
    })

  test('has another state as soon as somebody has changed it while it was read', async () => {
    const { id, shifts } = await world.addEvent({ responsible: [PAUL], shifts: [{}] })
    const paul = as(PAUL)
    const { shift } = (await getBoardShift(paul, shifts[0]!))!
    const changeAfterEachRead: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        const isState = result.rows.some((row) => 'searches' in row)
        if (!isState) await sql`update shift set label = label || 'x'`.execute(world.db.write)
        return result
      },
    }
    const slow = { ...paul, db: paul.db.withPlugin(changeAfterEachRead) }
    for (const load of [
      () => loadBoard(slow, shift),
      () => loadEventBoard(slow, { id, title: '' }, { terms: [], state: undefined }),
    ]) {
      const { state } = await load()
      assert.notEqual((await getBoardState(paul, shifts)).state, state)
    }
  })

  const SHOWN: [what: string, wish: object, shown: Record<string, boolean | undefined>][] = [
    ['is published', {}, { Paul: true, Ann: false, Vera: undefined }],
    ['is a draft', { draft: true }, { Paul: true, Ann: undefined, Vera: undefined }],
    ['was cancelled', { cancelled: true }, { Paul: true, Ann: false, Vera: undefined }],
    ['was deleted', { deleted: true }, { Paul: undefined, Ann: undefined, Vera: undefined }],
  ]
  for (const [what, wish, shown] of SHOWN)
    test(`of an event that ${what} is there for those who see it, and changed by responsibles`, async () => {
      const { shifts } = await world.addEvent({ responsible: [PAUL], seenBy: [HELPERS], shifts: [{}, {}], ...wish })
      for (const person of [PAUL, ANN, VERA]) {
        const found = await getBoardShift(as(person), shifts[1]!)
        assert.equal(found?.mayChange, shown[person.name], person.name)
        if (found)
          assert.deepEqual([found.shift.id, found.shift.isDraft, found.shift.shiftCount], [shifts[1], what === 'is a draft', 2])
      }
    })
})
