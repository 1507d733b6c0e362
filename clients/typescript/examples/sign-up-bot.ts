// Signs up for every shift where people are missing and that fits. With an argument only for shifts with these words.
//   TURNOUT_URL=https://plan.example.org TURNOUT_TOKEN=… node sign-up-bot.ts [words]
// The token needs PUBLIC_READ, ME_READ and ME_WRITE.
import { ProblemError, type Schemas, TurnoutClient } from '@turnout/client'

const { TURNOUT_URL = 'http://localhost:8000', TURNOUT_TOKEN } = process.env
if (!TURNOUT_TOKEN) throw new Error('set TURNOUT_TOKEN')
const client = new TurnoutClient({ url: TURNOUT_URL, token: TURNOUT_TOKEN })

/** Signs up if nothing is against it and nothing has to be chosen; otherwise tells what. */
async function signUp({ id }: Schemas['Shift']): Promise<string> {
  const { sign_up, needed } = await client.get('/api/shifts/{id}/eligibility/', { path: { id } })
  const obstacles = [...sign_up.reasons, ...needed]
  if (obstacles.length) return obstacles.map(({ detail }) => detail).join(' ')
  try {
    const { state } = await client.post('/api/shifts/{id}/signup/', { path: { id } })
    return state.label
  } catch (error) {
    // Somebody else may have taken the last place meanwhile.
    if (!(error instanceof ProblemError && error.code === 'refused')) throw error
    return error.errors.map(({ detail }) => detail).join(' ')
  }
}

const query = { start_time_after: new Date().toISOString(), search: process.argv[2] }
for await (const shift of client.pages('/api/shifts/', { query })) {
  if (shift.signup_stats.missing === 0) continue
  console.log(`${shift.start_time} ${shift.event_title} ${shift.label}: ${await signUp(shift)}`)
}
