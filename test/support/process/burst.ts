import { randomBytes } from 'node:crypto'
import { hashSecret } from '#platform/auth/secrets.ts'
import { openDatabase } from '#platform/db/pool.ts'
import { addEvent, addPerson } from '../fixtures.ts'
import type { Person } from '../people.ts'
import { Visitor } from './http-client.ts'
import type { Server } from './processes.ts'

const HOUR_MS = 3_600_000

/** Of every answer its status and the time until it was there. */
export type BurstAnswer = { status: number; ms: number }

type Burst = {
  databaseUrl: string
  count: number
  places: number
  /** People send the form again as long as the answer is 503 with Retry-After, which a loaded machine gives. */
  repeatsIfBusy?: boolean
}

/** Lets `count` people sign up for one shift with `places` places at the same moment. */
export async function signUpAtOnce(
  server: Server,
  { databaseUrl, count, places, repeatsIfBusy = false }: Burst,
): Promise<{ answers: BurstAnswer[]; confirmed: number }> {
  const db = openDatabase({ url: databaseUrl })
  try {
    const now = new Date()
    const people = Array.from({ length: count }, (_, n): Person => {
      const id = 1_000 + n
      const name = `Person ${id}`
      return { kind: 'person', id, name, email: `p${id}@example.org`, dateOfBirth: '1990-01-01', phone: null }
    })
    for (const person of people) await addPerson(db.write, person, now)
    await db.write.insertInto('event_type').values({ id: 1, title: 'Race' }).execute()
    const [start, end] = [48, 52].map((hours) => new Date(now.getTime() + hours * HOUR_MS).toISOString()) as [string, string]
    const shift = {
      start,
      end,
      flow: 'instant_confirmation',
      configuration: { maximum_number_of_participants: places },
    }
    const { shifts } = await addEvent(db.write, { title: 'Run', type: 1, seenBy: people, shifts: [shift] }, now)
    const path = `/shifts/${shifts[0]}/signup/`
    const visitors: Visitor[] = []
    for (const { id } of people) {
      const visitor = new Visitor(server.origin)
      const sessionId = randomBytes(32).toString('base64url').slice(0, 43)
      const expires_at = new Date(now.getTime() + 24 * HOUR_MS)
      const session = { id_hash: hashSecret(sessionId), user_id: id, created_at: now, last_seen_at: now, expires_at }
      await db.write.insertInto('session').values(session).execute()
      await visitor.get('/accounts/login/')
      const name = [...visitor.cookies.keys()].find((each) => each.includes('device'))!.replace('device', 'session')
      visitor.cookies.set(name, sessionId)
      await visitor.get(path)
      visitors.push(visitor)
    }
    const answers = await Promise.all(
      visitors.map(async (visitor): Promise<BurstAnswer> => {
        const begun = performance.now()
        const send = () => visitor.post(path, { quick: '1', from: 'event' })
        let answer = await send()
        while (repeatsIfBusy && answer.status === 503 && answer.headers['retry-after']) answer = await send()
        return { status: answer.status, ms: Math.round(performance.now() - begun) }
      }),
    )
    const confirmed = await db.read.selectFrom('participation').select('id').where('state', '=', 1).execute()
    return { answers, confirmed: confirmed.length }
  } finally {
    await db.close()
  }
}
