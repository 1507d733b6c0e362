import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Temporal } from 'temporal-polyfill'
import { dayOf } from '#features/accounts/users/rules.ts'
import { findFeedShifts } from '#features/events/browse/queries/shifts.ts'
import { findHours } from '#features/on-the-day/hours/queries.ts'
import { roundHours, sumHours } from '#features/on-the-day/hours/rules.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import { addDays } from '#platform/i18n/days.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { makeRandom, type Random } from '#platform/sample-data/random.ts'
import type { Span } from '#platform/time-span.ts'
import { contextAs } from '#test/support/command-context.ts'
import { PAUL, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld, type World } from '#test/support/world.ts'

const SEEDS = [1, 2, 3, 4, 5]
const PEOPLE = 6
const EVENTS = 30
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** People with shifts from 13 months ago to two months from now, some of them now: all states, own times, no-shows, entries by hand. */
async function addOrganisation(world: World, random: Random, seed: number): Promise<{ people: Person[]; event: number }> {
  const people: Person[] = []
  for (let n = 0; n < PEOPLE; n++) people.push(await world.addPerson({ name: `Person ${seed} ${n}` }))
  const group = await world.addGroup(`Group ${seed}`, people)
  const iso = (ms: number) => new Date(ms).toISOString()
  const whose = { seenBy: [group], responsible: [PAUL] }
  for (let n = 0; n < EVENTS; n++) {
    const days = random.pick([random.between(-400, 60), random.between(-30, 30), 0])
    const start = world.now.getTime() + days * DAY_MS + random.between(-48, 48) * (HOUR_MS / 4)
    const end = start + random.between(1, 60) * (HOUR_MS / 4)
    const { shifts } = await world.addEvent({
      ...whose,
      shifts: [{ start: iso(start), meeting: iso(start), end: iso(end) }],
      draft: random.chance(0.1),
      cancelled: random.chance(0.1),
    })
    for (const who of people.filter(() => random.chance(0.6))) {
      const own = random.chance(0.3) ? { start: iso(start + HOUR_MS / 8), end: iso(end + random.between(0, 9) * HOUR_MS) } : {}
      const state = random.pick([0, 1, 1, 1, 1, 2, 3, 3] as const)
      const id = await world.addParticipation({ who, shift: shifts[0]!, state, ...own })
      if (state === STATE.confirmed && end + 10 * HOUR_MS < world.now.getTime() && random.chance(0.2))
        await world.db.write.insertInto('attendance').values({ participation_id: id, no_show: true, is_absent: true }).execute()
    }
  }
  for (const { id } of people.filter(() => random.chance(0.5))) {
    const date = addDays(dayOf(world.now, 'UTC'), -random.between(1, 400))
    const hours = (random.between(1, 40) / 4).toFixed(2)
    await world.db.write.insertInto('working_hours').values({ user_id: id, hours, reason: 'Stock', date }).execute()
  }
  // Far from all other shifts, so that everybody is free.
  const far = world.now.getTime() + 100 * DAY_MS
  const { id } = await world.addEvent({
    ...whose,
    shifts: [
      {
        start: iso(far),
        meeting: iso(far),
        end: iso(far + HOUR_MS),
        structure: 'uniform',
        configuration: { minimum_number_of_participants: PEOPLE + 1 },
      },
    ],
  })
  // Paul plans the event and can be proposed as well.
  return { people: [...people, PAUL], event: id }
}

/** More than two hours of one night between 23:00 and 6:00, counted minute by minute on the clock of the organisation. */
function isNight({ start, end }: Span, timeZone: string): boolean {
  const minutes = new Map<string, number>()
  for (let ms = start.getTime(); ms < end.getTime(); ms += 60_000) {
    const at = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone)
    if (at.hour < 23 && at.hour >= 6) continue
    const evening = at.hour >= 23 ? at.toPlainDate() : at.toPlainDate().subtract({ days: 1 })
    minutes.set(`${evening}`, (minutes.get(`${evening}`) ?? 0) + 1)
  }
  return Math.max(0, ...minutes.values()) > 120
}

const isWeekend = ({ start }: Span, timeZone: string): boolean =>
  Temporal.Instant.fromEpochMilliseconds(start.getTime()).toZonedDateTimeISO(timeZone).dayOfWeek >= 6

type Figures = { done: number; promised: number; nights: number; weekends: number; refusals: number }

/** From the rows of the person's page of hours and of the person's calendar. */
async function figuresOf(world: World, person: Person): Promise<Figures> {
  const { timeZone } = world.app.site
  const context = { ...contextAs(world, person), words: wordsFor('en', timeZone) }
  const from = addDays(dayOf(world.now, timeZone), -365)
  const hours = await findHours(context, person.id, { from, to: undefined, typeId: undefined })
  const inCalendar = async (state: 1 | 3) =>
    (await findFeedShifts(context, person.id, [state])).filter(({ cancellationReason }) => cancellationReason === null)
  const promised = (await inCalendar(STATE.confirmed)).filter(({ end }) => end > world.now)
  const rejected = (await inCalendar(STATE.rejectedByResponsible)).filter(({ start }) => dayOf(start, timeZone) >= from)
  const spans: Span[] = [...hours.flatMap(({ start, end }) => (start && end ? [{ start, end }] : [])), ...promised]
  return {
    done: sumHours(hours),
    promised: roundHours(promised.reduce((sum, { start, end }) => sum + (end.getTime() - start.getTime()) / HOUR_MS, 0)),
    nights: spans.filter((span) => isNight(span, timeZone)).length,
    weekends: spans.filter((span) => isWeekend(span, timeZone)).length,
    refusals: rejected.length,
  }
}

/** What the proposal says about each person, by name. */
function readReasons(page: string): Map<string, Figures & { average: number }> {
  const places = [...page.matchAll(/<li class="fill-place">[\s\S]*?<\/li>/g)].map(([text]) => text)
  return new Map(
    places.map((text) => {
      const why = /<p class="help">([^<]*)<\/p>/.exec(text)![1]!
      const figure = (pattern: RegExp) => Number(pattern.exec(why)?.[1]?.replace(',', '') ?? 0)
      const name = /<option [^>]*selected>([^<]*)</.exec(text)![1]!
      return [
        name,
        {
          done: figure(/([\d.,]+) h in the last 12 months/),
          average: figure(/average ([\d.,]+) h/),
          promised: figure(/Confirmed for ([\d.,]+) h to come/),
          nights: figure(/(\d+) nights?\b/),
          weekends: figure(/(\d+) weekend shift/),
          refusals: figure(/(\d+) rejected request/),
        },
      ]
    }),
  )
}

describe('what a proposal says about people', async () => {
  const world = await openWorld()
  const paul = await browserOf(world, PAUL)
  for (const seed of SEEDS)
    test(`is what their hours and their calendars say, in organisation ${seed}`, async () => {
      const { people, event } = await addOrganisation(world, makeRandom(seed), seed)
      const reasons = readReasons((await paul.get(`/planning/fill/?event=${event}&pool=everyone`)).body)
      const expected = await Promise.all(people.map(async (person) => ({ person, figures: await figuresOf(world, person) })))
      const average = Math.round(expected.reduce((sum, { figures }) => sum + figures.done, 0) / people.length)
      assert.deepEqual(
        Object.fromEntries(people.map(({ name }) => [name, reasons.get(name)])),
        Object.fromEntries(expected.map(({ person, figures }) => [person.name, { ...figures, average }])),
      )
      const [{ person, figures }] = expected as [(typeof expected)[0]]
      const from = addDays(dayOf(world.now, world.app.site.timeZone), -365)
      const page = await world.withSession(person).get(`/my-shifts/?from=${from}&to=2031-12-31`, { unchecked: true })
      assert.match(page.text, new RegExp(`Total: ${figures.done.toLocaleString('en')} hours?\\b`))
    })
})
