import { Temporal } from 'temporal-polyfill'
import type { Dataset } from './data.ts'
import { latencies, median, serve } from './measure.ts'
import { statementsOf } from './statements.ts'
import { addFestival } from './timeline.ts'

const PEOPLE = 200

/** In milliseconds. */
export type PeopleTimesFigures = { people: number; calendar: number; statements: number }

/** The page of 200 people by 31 days, and the calendar of the same month, for an administrator. The festival is in that month. */
export async function measurePeopleTimes({ url, olgaCookie }: Dataset): Promise<PeopleTimesFigures> {
  await addFestival(url)
  const headers = { cookie: olgaCookie, host: 'localhost' }
  const month = longMonthAfter(Temporal.Now.plainDateISO())
  const path = `/planning/people/?view=month&day=${month.toPlainDate({ day: 15 })}`
  // Each page is made anew, as after a write.
  const app = await serve('./server.ts', [url, 'unkept'])
  const calls = [path, `/events/calendar/?month=${month}`].map((each) => ({ url: `${app.address}${each}`, headers }))
  const page = await (await fetch(calls[0]!.url, { headers })).text()
  const rows = page.match(/<tr[^>]*>\s*<th[^>]*scope="row"/g)?.length ?? 0
  if (rows < PEOPLE) throw new Error(`the page shows ${rows} people`)
  const times: number[][] = [[], []]
  // Alternates, so that other load on the machine affects both.
  for (let round = -2; round < 10; round++)
    for (const [side, call] of calls.entries()) {
      const measured = await latencies(call, 3)
      if (round >= 0) times[side]!.push(...measured)
    }
  const statements = await statementsOf(url, path, headers)
  await app.stop()
  const [people, calendar] = times.map(median) as [number, number]
  return { people, calendar, statements: statements.length }
}

/** The first month with 31 days that begins within the next weeks. */
function longMonthAfter(today: Temporal.PlainDate): Temporal.PlainYearMonth {
  let month = today.add({ days: 30 }).toPlainYearMonth()
  while (month.daysInMonth < 31) month = month.add({ months: 1 })
  return month
}
