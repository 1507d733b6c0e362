// Shows the shifts of a day with the people who are missing, and again after each change. For a screen in the office.
//   TURNOUT_URL=https://plan.example.org TURNOUT_TOKEN=… node wall-display.ts [2031-05-04]
// The token needs PUBLIC_READ.
import { ProblemError, TurnoutClient } from '@turnout/client'

const { TURNOUT_URL = 'http://localhost:8000', TURNOUT_TOKEN } = process.env
if (!TURNOUT_TOKEN) throw new Error('set TURNOUT_TOKEN')
const client = new TurnoutClient({ url: TURNOUT_URL, token: TURNOUT_TOKEN })
// In Swedish, dates are written as in ISO 8601.
const today = () => new Date().toLocaleDateString('sv')

async function show(day: string): Promise<void> {
  const lines: string[] = []
  const query = { end_time_after: day, start_time_before: `${day}T23:59:59`, ordering: 'start_time' }
  for await (const shift of client.pages('/api/shifts/', { query })) {
    const { missing, confirmed_count: confirmed } = shift.signup_stats
    const times = `${shift.start_time.slice(11, 16)}–${shift.end_time.slice(11, 16)}`
    const people = missing > 0 ? `${missing} missing` : 'complete'
    lines.push(`${times}  ${[shift.event_title, shift.label].filter(Boolean).join(', ')}: ${confirmed} confirmed, ${people}`)
  }
  console.log(`\n${day}\n${lines.join('\n') || 'No shifts.'}`)
}

for (;;) {
  // First the position, then the list: a change between the two is shown by the stream.
  const { next } = await client.get('/api/changes/')
  await show(process.argv[2] ?? today())
  try {
    for await (const { data } of client.stream('/api/changes/stream/', { query: { after: next } }))
      if (data.kind === 'event' || data.kind === 'shift') await show(process.argv[2] ?? today())
  } catch (error) {
    // The position is too old to continue from it.
    if (!(error instanceof ProblemError && error.code === 'gone')) throw error
  }
}
