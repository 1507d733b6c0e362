import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { SampleContext } from '#platform/features/sample-data.ts'

/** The event of today. */
const TITLE = { en: 'Blood drive at the town hall', de: 'Blutspende im Rathaus' }
const MINUTE = 60_000

type Place = { id: number; user_id: number | null; start: Date; end: Date }

/** Self check-in is on, and in shifts that have begun most people are there. The second person of each shift did not come. */
export async function loadCheckIns({ language, tx, now, keyring }: SampleContext): Promise<void> {
  const token = randomSecret(20)
  await sql`insert into event_check_in (event_id, is_active, token_hash, token_sealed)
    select id, true, ${hashSecret(token)}, ${keyring.seal(token)} from event where title = ${TITLE[language]}`.execute(tx)
  const { rows } = await sql<Place & { shift_id: number }>`
    select p.id, p.user_id, p.shift_id, p.start_time as start, p.end_time as end
    from participation p join event e on e.id = p.event_id
    where e.title = ${TITLE[language]} and p.state = 1 and p.start_time < ${now} order by p.shift_id, p.id`.execute(tx)
  const paul = await tx.selectFrom('user_profile').select('id').where('email', '=', 'paul@demo.example').executeTakeFirstOrThrow()
  for (const places of Map.groupBy(rows, ({ shift_id }) => shift_id).values())
    for (const [index, place] of places.entries()) await mark(tx, { now, plannerId: paul.id }, place, index)
}

type Marking = { now: Date; plannerId: number }

async function mark(tx: Tx, { now, plannerId }: Marking, { id, user_id, start, end }: Place, index: number): Promise<void> {
  const noShow = index === 1
  const arrived = new Date(Math.min(start.getTime() + (index * 4 - 7) * MINUTE, now.getTime()))
  const left = end < now ? new Date(end.getTime() + index * 5 * MINUTE) : null
  const at = noShow ? new Date(Math.min(start.getTime() + 40 * MINUTE, now.getTime())) : arrived
  const markId = randomUUID()
  const values = { arrived_at: noShow ? null : arrived, left_at: noShow ? null : left, no_show: noShow }
  await tx
    .insertInto('attendance')
    .values({ participation_id: id, ...values, mark_id: markId })
    .execute()
  const isSelf = !noShow && index % 2 === 0
  await tx
    .insertInto('attendance_mark')
    .values({
      id: markId,
      participation_id: id,
      kind: noShow ? 'no_show' : 'arrived',
      ...values,
      no_show_before: false,
      outcome: 'applied',
      source: isSelf ? 'self' : 'planner',
      by_id: isSelf ? user_id : plannerId,
      made_at: at,
      received_at: at,
    })
    .execute()
}
