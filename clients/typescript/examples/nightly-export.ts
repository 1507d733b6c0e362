// Writes all participations of a month as CSV to the standard output; without an argument those of the last month.
//   TURNOUT_URL=https://plan.example.org TURNOUT_TOKEN=… node nightly-export.ts 2031-05 > 2031-05.csv
// The token needs CONFIDENTIAL_READ.
import { TurnoutClient } from '@turnout/client'

const { TURNOUT_URL = 'http://localhost:8000', TURNOUT_TOKEN } = process.env
if (!TURNOUT_TOKEN) throw new Error('set TURNOUT_TOKEN')
const client = new TurnoutClient({ url: TURNOUT_URL, token: TURNOUT_TOKEN })

const monthAt = (year: number, month: number) => new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7)
const now = new Date()
const month = process.argv[2] ?? monthAt(now.getFullYear(), now.getMonth() - 1)
if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw new Error(`not a month: ${month}; write 2031-05`)
const [year = 0, number = 0] = month.split('-').map(Number)

/** Spreadsheets would run a text that starts like a formula. */
const cell = (value: string | number) =>
  typeof value === 'number' ? String(value) : `"${value.replace(/^[=+@\t\r-]/, "'$&").replaceAll('"', '""')}"`
const row = (values: (string | number)[]) => console.log(values.map(cell).join(','))

row(['id', 'event', 'title', 'shift', 'person', 'state', 'start', 'end', 'hours'])
const query = { start_time_after: `${month}-01`, start_time_before: `${monthAt(year, number)}-01` }
for await (const each of client.pages('/api/participations/', { query })) {
  // The bounds are inclusive, so the first moment of the next month is in the list, too.
  if (!each.start_time.startsWith(month)) continue
  const { id, event, event_title, shift, participant, state, start_time, end_time, duration } = each
  row([id, event, event_title, shift, participant.display_name, state.label, start_time, end_time, duration / 3600])
}
