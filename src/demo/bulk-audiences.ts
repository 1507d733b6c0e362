import type { Tx } from '#platform/db/transaction.ts'
import type { BulkPerson } from './bulk-people.ts'
import type { GroupKey, Groups } from './groups.ts'

/** Groups that see an event, the first one being responsible, and the range of its participants in the list of people. */
export type BulkAudience = { id: number; groupIds: number[]; responsibleId: number; candidates: number[] }
export type BulkAudiences = { annSees: BulkAudience[]; annMisses: BulkAudience[] }

const ANN_SEES: GroupKey[][] = [
  ['planning', 'medics'],
  ['planning', 'members'],
  ['planning', 'fire', 'medics'],
  ['planning', 'medics', 'youth'],
  ['trainers', 'members'],
  ['trainers', 'fire', 'medics'],
]
const ANN_MISSES: GroupKey[][] = [
  ['planning', 'fire'],
  ['planning', 'youth'],
  ['planning', 'fire', 'youth'],
  ['trainers', 'fire'],
]

export async function loadBulkAudiences(tx: Tx, groups: Groups, people: BulkPerson[]): Promise<BulkAudiences> {
  const load = async (keys: GroupKey[]): Promise<BulkAudience> => {
    const groupIds = keys.map((key) => groups[key]).sort((a, b) => a - b)
    const { id } = await tx.insertInto('audience').values({ group_ids: groupIds }).returning('id').executeTakeFirstOrThrow()
    const audience = new Set(keys.slice(1))
    const candidates = people.flatMap((person, index) =>
      person.mayJoin && person.groups.some((key) => audience.has(key)) ? [index] : [],
    )
    return { id, groupIds, responsibleId: groups[keys[0]!], candidates }
  }
  const annSees: BulkAudience[] = []
  const annMisses: BulkAudience[] = []
  for (const keys of ANN_SEES) annSees.push(await load(keys))
  for (const keys of ANN_MISSES) annMisses.push(await load(keys))
  return { annSees, annMisses }
}
