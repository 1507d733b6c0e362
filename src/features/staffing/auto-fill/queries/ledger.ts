import { type Kysely, sql } from 'kysely'
import { type CardPerson, cardKey } from '#features/staffing/disposition/rules/cards.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { addShift, DEFAULT_WEIGHTS, EMPTY_LEDGER, type Ledger, type Weights } from '../rules/ledger.ts'

const YEAR_MS = 365 * 24 * 3_600_000

/** What people did in the last twelve months and promised for the future, in one query. Guests and visitors begin with nothing. */
export async function loadLedgers(
  { db, now, site }: RequestContext,
  people: readonly CardPerson[],
): Promise<(who: CardPerson) => Ledger> {
  const ids = people.flatMap((who) => ('kind' in who && who.kind === 'local' ? [who.id] : []))
  const { rows } = await sql<{ userId: number | null; state: number; start: Date; end: Date }>`
    select p.user_id as "userId", p.state, p.start_time as start, p.end_time as end
    from participation p join event e on e.id = p.event_id
    where p.user_id = any (${ids}::bigint[]) and p.state in (${STATE.confirmed}, ${STATE.rejectedByResponsible}) and e.listed
      and p.start_time > ${new Date(now.getTime() - YEAR_MS)}`.execute(db)
  const ledgers = new Map<string, Ledger>()
  for (const { userId, state, start, end } of rows) {
    const key = cardKey({ kind: 'local', id: userId! })
    const before = ledgers.get(key) ?? EMPTY_LEDGER
    const after =
      state === STATE.confirmed ? addShift(before, { start, end }, site.timeZone) : { ...before, refusals: before.refusals + 1 }
    ledgers.set(key, after)
  }
  return (who) => ledgers.get(cardKey(who)) ?? EMPTY_LEDGER
}

export async function getWeights(db: Kysely<DB>): Promise<Weights> {
  const { rows } = await sql<{ name: keyof Weights; value: number }>`select w.name, w.value from fill_weight w`.execute(db)
  return { ...DEFAULT_WEIGHTS, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) }
}
