import { sql } from 'kysely'
import { type Candidacy, judgeCandidacy } from '#features/staffing/eligibility/rules/candidacy.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import type { Reason, ReasonContext, State } from '#features/staffing/staffing/rules/model.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll } from '#platform/db/conditions.ts'
import { findPage, type Paged, type PagedRows, type PageRequest } from '#platform/db/paged.ts'
import { isAboutPerson } from '../rules/board.ts'
import { loadPeopleFacts } from './people.ts'
import { candidatesOf, searchCandidates } from './people-search.ts'
import type { BoardShift } from './shift-board.ts'

type CandidateRow = {
  kind: 'local' | 'visitor' | 'guest'
  id: number
  name: string
  participation_id: number | null
  state: State | null
}
export type Candidate = CandidateRow & { candidacy: Candidacy; reasons: Reason[]; reasonContext: ReasonContext }

/** People whom the board of the shift offers, and those who take part already, judged as on the board. */
export async function findCandidates(
  context: RequestContext,
  shift: BoardShift,
  terms: readonly string[],
  page: PageRequest,
): Promise<PagedRows<Candidate>> {
  const id = sql`coalesce(one.user_id, one.visitor_id, one.guest_id)`
  const found = await findPage<CandidateRow>(
    context,
    {
      columns: { kind: sql`one.kind`, id, name: sql`one.name`, participation_id: sql`p.id`, state: sql`p.state` },
      from: sql`from ${candidatesOf(shift.eventId)} one left join participation p on p.shift_id = ${shift.id}
        and (p.user_id = one.user_id or p.visitor_id = one.visitor_id or p.guest_id = one.guest_id)`,
      where: sql`true${andAll(searchCandidates(context, terms))}`,
      order: [
        { column: sql`lower(one.name)`, type: 'text' },
        { column: sql`one.kind`, type: 'text' },
        { column: id, type: 'bigint' },
      ],
    },
    page,
    (chosen) => sql<Paged<CandidateRow>>`${chosen}`,
  )
  const people = found.rows.map(({ kind, id: personId }) => ({ kind, id: personId }))
  const facts = await loadPeopleFacts(context, people, [shift.id])
  const reasonContext = await loadReasonContext(context)
  const moment = { now: context.now, timeZone: context.site.timeZone }
  const span = { start: shift.start, end: shift.end }
  const rows = found.rows.map((row): Candidate => {
    const own = facts.own(row, shift.id)
    const candidacy = judgeCandidacy(facts.of(row), shift.id, moment, own ?? span)!
    return { ...row, candidacy, reasons: candidacy.reasons['sign-up'].filter(isAboutPerson), reasonContext }
  })
  return { ...found, rows }
}
