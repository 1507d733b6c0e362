import { createPersonalToken } from '#features/access/tokens/commands/personal.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { systemClock } from '#platform/clock.ts'
import { type Database, openDatabase } from '#platform/db/pool.ts'
import { ADDED } from '../src/features.ts'
import { type Dataset, keyring, TIME_ZONE } from './data.ts'
import { serve } from './measure.ts'
import { post, rateOf } from './sign-ups.ts'

const PEOPLE = 50
const ROUNDS = 3

/** A person of the crowd, who signs up and declines again and again. */
type Pair = { token: string; shiftId: number; isIn: boolean }

/** Sign-ups and declines per second of 50 connections: all on one shift, and each on a shift of another event. */
export async function measureCrowd(data: Dataset, seconds: number): Promise<{ together: number; apart: number }> {
  const db = openDatabase({ url: data.url })
  const [group, tokens] = await addCrowd(db)
  const shifts = await addOpenShifts(db, group, PEOPLE + 1)
  await db.close()
  const app = await serve('./server.ts', [data.url])
  // Each write counts: with all on one shift, a person waits for all others between two of them.
  const rate = (pairs: Pair[]) =>
    rateOf(
      seconds / ROUNDS,
      async (index) => {
        const pair = pairs[index]!
        const { status } = await post(app.address, pair, pair.isIn ? 'decline' : 'signup')
        if (status !== (pair.isIn ? 200 : 201)) throw new Error(`a write answered ${status}`)
        pair.isIn = !pair.isIn
      },
      PEOPLE,
    )
  const together = tokens.map((token) => ({ token, shiftId: shifts[0]!, isIn: false }))
  const apart = tokens.map((token, index) => ({ token, shiftId: shifts[index + 1]!, isIn: false }))
  const sums = { together: 0, apart: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    sums.apart += await rate(apart)
    sums.together += await rate(together)
  }
  await app.stop()
  return { together: sums.together / ROUNDS, apart: sums.apart / ROUNDS }
}

async function addCrowd(db: Database): Promise<[group: number, tokens: string[]]> {
  const { rows: groups } = await db.writePool.query<{ id: number }>(`insert into user_group (name) values ('Crowd') returning id`)
  const group = groups[0]!.id
  const { rows: people } = await db.writePool.query<{ id: number }>(
    `with made as (
       insert into user_profile (email, display_name, date_of_birth) select 'crowd-' || n || '@demo.example', 'Person ' || n, '1990-01-01'
       from generate_series(1, $2::int) n returning id),
     joined as (insert into user_group_member (group_id, user_id) select $1, id from made)
     select id from made order by id`,
    [group, PEOPLE],
  )
  const site = { url: 'http://localhost', timeZone: TIME_ZONE, keyring, tokenMaxDays: 365, added: ADDED }
  const context = { db: db.write, actor: ANONYMOUS, now: systemClock.now(), site, requestId: null }
  const tokens: string[] = []
  for (const { id } of people) {
    const made = await createPersonalToken(context, id, { description: 'bench', scopes: ['PUBLIC_READ', 'ME_WRITE'], days: 1 })
    if (!made.ok) throw new Error(made.reasons.join())
    tokens.push(made.token)
  }
  return [group, tokens]
}

/** One in each event, all at other times, with places for everybody. */
async function addOpenShifts(db: Database, group: number, count: number): Promise<number[]> {
  const { rows } = await db.writePool.query<{ id: number }>(
    `with events as (
       insert into event (title, location, type_id, active) select 'Open event', '', (select min(id) from event_type), true
       from generate_series(1, $2::int) returning id),
     seen as (insert into event_group_grant (event_id, group_id, permission) select id, $1, 'view' from events)
     insert into shift (event_id, label, meeting_time, start_time, end_time, signup_flow_slug, signup_flow_configuration, structure_slug,
       structure_configuration, max_count, free)
     select id, '', at, at, at + interval '2 hours', 'instant_confirmation', '{"user_can_decline_confirmed": true}', 'uniform',
       '{"maximum_number_of_participants": 100}', 100, 100
     from (select id, now() + interval '10 days' + row_number() over (order by id) * interval '1 day' as at from events) e
     order by id returning id`,
    [group, count],
  )
  return rows.map(({ id }) => id)
}
