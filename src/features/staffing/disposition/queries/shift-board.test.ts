import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { openText, placeText, seatText, unmatchedText } from '#features/staffing/staffing/views/explanations.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, OLGA, PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { newCard } from '../rules/cards.ts'
import { getBoardShift, loadProposal } from './shift-board.ts'

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
