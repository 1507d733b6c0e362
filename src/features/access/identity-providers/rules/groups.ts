import type { GroupWithRights } from '#features/accounts/users/queries/group-rights.ts'
import { exceedsRights, type GroupRights, hasRights } from '#features/accounts/users/rules.ts'

/** An administrator has confirmed that people with this value in the claim get the group, with these rights. */
export type GroupMapping = { value: string; groupId: number; rights: GroupRights }
/** A group with these rights for everybody who signs in by the provider. */
export type DefaultGroup = { groupId: number; rights: GroupRights }

/**
 * Why people do not get a group. `unmapped`: it has rights, and only its name matches. `responsible`: the same for a group that is only
 * responsible for events. `widened`: it has more rights than an administrator has confirmed.
 */
type WithheldReason = 'unmapped' | 'responsible' | 'widened'
/** `value` undefined: a group for everybody. */
export type Withheld = { value: string | undefined; groupId: number; reason: WithheldReason }

type GroupDecision = {
  /** Groups that the person joins or stays in. */
  joins: number[]
  /** Groups that the person stays in and does not join. */
  keeps: number[]
  withheld: Withheld[]
  /** Names of groups that do not exist. */
  missing: string[]
}

type GroupFacts = {
  values: readonly string[]
  groups: readonly GroupWithRights[]
  mappings: readonly GroupMapping[]
  defaults: readonly DefaultGroup[]
  /** Members of groups with rights whose name a value is stay: nobody has chosen the values of this provider yet. */
  keepsNamed: boolean
}

const MAX_GROUP_NAME_LENGTH = 150

/**
 * Which groups a sign-in gives. A name alone, which anybody who names groups at the provider can choose, gives groups without rights only.
 * Rights count as they are at this moment: a group that gets rights later is withheld from then on. Members of a group that only became
 * responsible for events, or got more rights after it was confirmed, stay: a planner who changes an event must not end memberships.
 */
export function decideGroups({ values, groups, mappings, defaults, keepsNamed }: GroupFacts): GroupDecision {
  const joins = new Set<number>()
  const withheld: Withheld[] = []
  const missing = new Map<string, string>()
  const give = (groupId: number, value: string | undefined, rights: GroupRights) => {
    const group = groups.find(({ id }) => id === groupId)
    if (!group) return
    if (exceedsRights(group, rights)) withheld.push({ value, groupId, reason: 'widened' })
    else joins.add(groupId)
  }
  for (const { groupId, rights } of defaults) give(groupId, undefined, rights)
  for (const value of values) {
    const mapped = mappings.filter((each) => each.value === value)
    for (const { groupId, rights } of mapped) give(groupId, value, rights)
    if (mapped.length) continue
    const group = findByName(value, groups)
    const lower = value.toLowerCase()
    if (group && hasRights(group)) withheld.push({ value, groupId: group.id, reason: 'unmapped' })
    else if (group?.isResponsible) withheld.push({ value, groupId: group.id, reason: 'responsible' })
    else if (group) joins.add(group.id)
    else if ([...value].length <= MAX_GROUP_NAME_LENGTH && !missing.has(lower)) missing.set(lower, value)
  }
  const stopped = withheld.filter(({ groupId }) => !joins.has(groupId))
  const kept = stopped.filter(({ reason }) => keepsNamed || reason !== 'unmapped')
  return {
    joins: [...joins],
    keeps: [...new Set(kept.map(({ groupId }) => groupId))],
    withheld: stopped,
    missing: [...missing.values()],
  }
}

/** Ignores case, and prefers the exact name. */
function findByName(name: string, groups: readonly GroupWithRights[]): GroupWithRights | undefined {
  const lower = name.toLowerCase()
  return groups.find((each) => each.name === name) ?? groups.find((each) => each.name.toLowerCase() === lower)
}

/** What somebody who confirms has seen, as one text. If it differs on submitting, the group has changed meanwhile. */
export const rightsState = ({ permissions, publishFor, decideHoursFor }: GroupRights): string =>
  JSON.stringify([permissions.toSorted(), publishFor.toSorted((a, b) => a - b), decideHoursFor.toSorted((a, b) => a - b)])

/** A line of the list of groups on the page of the provider. `value` undefined: everybody gets the group. */
type GroupLine = {
  value: string | undefined
  group: GroupWithRights
  state: 'given' | WithheldReason
  mapping?: { id: number; confirmedAt: Date } | undefined
  /** The last sign-in whose claim named the group in vain. */
  seen?: { value: string; at: Date } | undefined
}

type ListedFacts = {
  groups: readonly GroupWithRights[]
  mappings: readonly (GroupMapping & { id: number; confirmedAt: Date })[]
  defaults: readonly DefaultGroup[]
  withheld: readonly { groupId: number; value: string; seenAt: Date }[]
  /** Without a claim, names of groups play no role. */
  hasClaim: boolean
}

/** What is confirmed, and which groups with rights a claim does not give. */
export function listGroups({ groups, mappings, defaults, withheld, hasClaim }: ListedFacts): GroupLine[] {
  const find = (groupId: number) => groups.find(({ id }) => id === groupId)
  const seenOf = (groupId: number) => {
    const row = withheld.find((each) => each.groupId === groupId)
    return row && { value: row.value, at: row.seenAt }
  }
  const stateOf = (group: GroupWithRights, rights: GroupRights) => (exceedsRights(group, rights) ? 'widened' : 'given')
  const mapped = mappings.flatMap(({ id, value, groupId, rights, confirmedAt }): GroupLine[] => {
    const group = find(groupId)
    return group ? [{ value, group, state: stateOf(group, rights), mapping: { id, confirmedAt } }] : []
  })
  const everybody = defaults.flatMap(({ groupId, rights }): GroupLine[] => {
    const group = find(groupId)
    return group && hasRights(group) ? [{ value: undefined, group, state: stateOf(group, rights) }] : []
  })
  const listed = new Set([...mapped, ...everybody].map(({ group }) => group.id))
  const others = groups.flatMap((group): GroupLine[] => {
    const seen = seenOf(group.id)
    if (!hasClaim || listed.has(group.id)) return []
    if (hasRights(group)) return [{ value: seen?.value || undefined, group, state: 'unmapped', seen }]
    return group.isResponsible && seen ? [{ value: seen.value || undefined, group, state: 'responsible', seen }] : []
  })
  return [...mapped, ...everybody, ...others]
}
