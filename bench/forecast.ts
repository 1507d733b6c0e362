import { importEphios, makeImportSecrets } from '#features/operations/import-ephios/commands/import.ts'
import { learnPastShifts } from '#features/staffing/forecast/commands/learn.ts'
import { LEAD_DAYS, type PastShift } from '#features/staffing/forecast/rules/pickup.ts'
import { isGoodEnough, judgeQuality, tryPastShifts } from '#features/staffing/forecast/rules/quality.ts'
import { migrate } from '#platform/db/migrate.ts'
import { openDatabase } from '#platform/db/pool.ts'
import { openSourceDatabase } from '#platform/db/source-database.ts'
import { makeRandom, type Random } from '#platform/sample-data/random.ts'
import { type EphiosRows, makeEphiosPostgres } from '#test/support/ephios/database.ts'
import { runOn, urlOfDatabase } from '#test/support/postgres-server.ts'
import { keyring } from './data.ts'

const DAY_MS = 24 * 3_600_000
const YEARS = 2
const END = Date.UTC(2031, 4, 1)

/** How people of an event type sign up: places taken, by the share of the time from six weeks before to the start that has passed. */
type Habit = {
  name: string
  needed: readonly number[]
  weekday: (random: Random) => number
  /** People who want to come, to the needed ones: on average, and how much this differs from shift to shift. */
  demand: number
  spread: number
  /** When a person signs up, in days before the start. */
  joins: (random: Random) => number
  /** Share of the people who decline again, at some time after they signed up. */
  declining: number
}

const HABITS: Habit[] = [
  {
    name: 'training: half of the people early, the others in the last week',
    needed: [8, 10, 12],
    weekday: () => 2,
    demand: 1,
    spread: 0.15,
    joins: (random) => (random.next() < 0.5 ? 21 + 20 * random.next() : 7 * random.next()),
    declining: 0.1,
  },
  {
    name: 'first aid: evenly, some events are liked less',
    needed: [4, 6, 10],
    weekday: (random) => (random.next() < 0.8 ? 6 : 3),
    demand: 0.95,
    spread: 0.35,
    joins: (random) => 40 * random.next(),
    declining: 0.15,
  },
  {
    name: 'standby: in the last days',
    needed: [2, 3],
    weekday: (random) => 1 + Math.floor(7 * random.next()),
    demand: 1,
    spread: 0.3,
    joins: (random) => 4 * random.next() * random.next(),
    declining: 0.05,
  },
  {
    name: 'camp: everybody months before, nobody declines',
    needed: [20, 30],
    weekday: () => 6,
    demand: 0.9,
    spread: 0.2,
    joins: () => 60,
    declining: 0,
  },
]

/** When a place was taken and given up, in days before the start. */
type Place = { joined: number; left: number | undefined }
type Shift = { start: number; needed: number; places: Place[] }

/** A shift every few days of the years. */
function makeYears({ needed, weekday, demand, spread, joins, declining }: Habit, random: Random): Shift[] {
  const shifts: Shift[] = []
  for (let day = YEARS * 365; day > 0; day -= 7) {
    const people = needed[Math.floor(random.next() * needed.length)]!
    // About normal: the sum of four even numbers.
    const luck = random.next() + random.next() + random.next() + random.next() - 2
    const count = Math.max(0, Math.round(people * (demand + 1.7 * spread * luck)))
    const places = Array.from({ length: count }, () => {
      const joined = joins(random)
      return { joined, left: random.next() < declining ? joined * random.next() : undefined }
    })
    const monday = END - day * DAY_MS - ((new Date(END - day * DAY_MS).getUTCDay() + 6) % 7) * DAY_MS
    shifts.push({ start: monday + (weekday(random) - 1) * DAY_MS + 8 * 3_600_000, needed: people, places })
  }
  return shifts.filter(({ start }) => start < END - DAY_MS)
}

const pastOf = ({ start, needed, places }: Shift): PastShift => ({
  start: new Date(start),
  weekday: ((new Date(start).getUTCDay() + 6) % 7) + 1,
  needed,
  taken: LEAD_DAYS.map(
    (days) => places.filter(({ joined, left }) => joined >= days && (left === undefined || left < days)).length,
  ),
  final: places.filter(({ left }) => left === undefined).length,
})

export type ForecastFigures = {
  what: string
  /** People by which the forecast, and "as full as now", were wrong on average. */
  error: number
  plainError: number
  tries: number
  isShown: boolean
  /** Share of the shifts that ended within the range, and share of the shifts that were said to stay short and did. */
  within: number
  rightlyShort: number | undefined
}

function judge(what: string, past: readonly PastShift[]): ForecastFigures {
  const quality = judgeQuality(past)
  const tries = tryPastShifts(past)
  const within = tries.filter(({ forecast, final }) => final >= forecast.low && final <= forecast.high)
  const short = tries.filter(({ forecast }) => forecast.staysShort)
  const rightly = short.filter(({ final, needed }) => final < needed)
  return {
    what,
    ...quality,
    isShown: isGoodEnough(quality),
    within: within.length / Math.max(1, tries.length),
    rightlyShort: short.length ? rightly.length / short.length : undefined,
  }
}

/** Forecasts of generated years, and of the same years after an import, which knows times from the log only. */
export async function measureForecasts(serverUrl: string): Promise<ForecastFigures[]> {
  const years = HABITS.map((habit) => ({ habit, shifts: makeYears(habit, makeRandom(habit.name)) }))
  const generated = years.map(({ habit, shifts }) => judge(habit.name, shifts.map(pastOf)))
  const imported = await importYears(
    serverUrl,
    years.map(({ shifts }) => shifts),
  )
  return [...generated, ...imported.map((past, index) => judge(`imported: ${HABITS[index]!.name}`, past))]
}

async function importYears(serverUrl: string, years: readonly (readonly Shift[])[]): Promise<PastShift[][]> {
  for (const name of ['forecast_source', 'forecast_target']) await runOn(serverUrl, `create database ${name}`)
  const [from, to] = [urlOfDatabase(serverUrl, 'forecast_source'), urlOfDatabase(serverUrl, 'forecast_target')]
  await makeEphiosPostgres(from, rowsOfYears(years))
  await migrate({ url: to })
  const source = await openSourceDatabase(from)
  const db = openDatabase({ url: to })
  const now = new Date(END)
  await importEphios(db.write, { source, secrets: makeImportSecrets(keyring), now, language: 'de', isDryRun: false })
  await learnPastShifts(db.write, now)
  const rows = await db.read.selectFrom('shift_pickup').selectAll().where('taken', 'is not', null).execute()
  await Promise.all([source.close(), db.close()])
  return years.map((_, index) =>
    rows
      .filter(({ type_id }) => type_id === index + 1)
      .map(({ start_time: start, needed, taken, final }) => ({
        start,
        weekday: ((start.getUTCDay() + 6) % 7) + 1,
        needed,
        taken: taken!,
        final,
      })),
  )
}

function rowsOfYears(years: readonly (readonly Shift[])[]): EphiosRows {
  const time = (ms: number) => new Date(ms).toISOString()
  const tables = [
    'eventtype',
    'event',
    'shift',
    'abstractparticipation',
    'core_placeholderparticipation',
    'modellogging_logentry',
  ]
  const rows: EphiosRows = Object.fromEntries(tables.map((table) => [table, []]))
  rows.django_content_type = [{ id: 1, app_label: 'core', model: 'placeholderparticipation' }]
  const log = (at: number, action_type: string, content_object_id: number) =>
    rows.modellogging_logentry!.push({
      id: rows.modellogging_logentry!.length + 1,
      datetime: time(at),
      action_type,
      content_object_id,
      content_type_id: 1,
      attached_to_object_type_id: 1,
    })
  for (const [index, shifts] of years.entries()) {
    rows.eventtype!.push({ id: index + 1, title: `Type ${index + 1}`, color: '#112233' })
    for (const { start, needed, places } of shifts) {
      const id = rows.event!.length + 1
      rows.event!.push({ id, title: `Event ${id}`, type_id: index + 1, active: true })
      rows.shift!.push({
        id,
        event_id: id,
        meeting_time: time(start),
        start_time: time(start),
        end_time: time(start + 4 * 3_600_000),
        signup_flow_slug: 'instant_confirmation',
        structure_slug: 'uniform',
        structure_configuration: { minimum_number_of_participants: needed },
      })
      for (const { joined, left } of places) {
        const participation = rows.abstractparticipation!.length + 1
        rows.abstractparticipation!.push({ id: participation, state: left === undefined ? 1 : 2, shift_id: id })
        rows.core_placeholderparticipation!.push({
          abstractparticipation_ptr_id: participation,
          display_name: `Person ${participation}`,
        })
        log(start - joined * DAY_MS, 'create', participation)
        if (left !== undefined) log(start - left * DAY_MS, 'change', participation)
      }
    }
  }
  return rows
}
