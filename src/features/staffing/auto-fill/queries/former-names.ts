import { loadPeopleFacts } from '#features/staffing/disposition/queries/people.ts'
import { type CardPerson, cardKey } from '#features/staffing/disposition/rules/cards.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { FixedPerson } from '../rules/chosen.ts'
import type { ScopedShift } from '../rules/proposal.ts'
import { findPeople } from './proposal.ts'

/** Names by `cardKey` of people in a former proposal: only of those who could be proposed for the shifts, because an address can be made up. */
export async function findFormerNames(
  context: RequestContext,
  shifts: readonly ScopedShift[],
  former: readonly FixedPerson[],
): Promise<ReadonlyMap<string, string>> {
  const keys = new Set(former.map(({ who }) => cardKey(who)))
  const found = await findPeople(context, shifts, { pool: 'requested', fixed: former })
  const people: CardPerson[] = found.map(({ who }) => who).filter((who) => keys.has(cardKey(who)))
  const facts = await loadPeopleFacts(context, people, [])
  return new Map(people.map((who) => [cardKey(who), facts.person(who)?.name ?? '']))
}
