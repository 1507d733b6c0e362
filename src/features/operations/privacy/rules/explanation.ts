/** What decides whether a person sees an event. */
export type AccessFacts = {
  isAccountActive: boolean
  isDraft: boolean
  isDeleted: boolean
  isCancelled: boolean
  mayAddEvents: boolean
  /** Superusers, managers and people with the permission for all events. */
  seesAll: boolean
  isAdministrator: boolean
  /** Groups of the person that see the event; `isResponsible`: they may change it. */
  groups: readonly { name: string; isResponsible: boolean }[]
  isInAudience: boolean
  isGranted: boolean
  isResponsible: boolean
  takesPart: boolean
}

export type Reason =
  | { kind: 'administrator' | 'permission' | 'granted' | 'responsible' | 'participation' }
  | { kind: 'group' | 'responsible_group'; name: string }
export type Obstacle = 'inactive' | 'deleted' | 'draft' | 'not_meant'

export type Explanation = { sees: boolean; reasons: Reason[]; obstacles: Obstacle[] }

/** The reasons of `openTo` in events/access.ts, one by one. `obstacles`: why the reasons are not enough. */
export function explainAccess(facts: AccessFacts): Explanation {
  const reasons: Reason[] = [
    ...(facts.seesAll ? [{ kind: facts.isAdministrator ? ('administrator' as const) : ('permission' as const) }] : []),
    ...facts.groups.map(({ name, isResponsible }) => ({
      kind: isResponsible ? ('responsible_group' as const) : ('group' as const),
      name,
    })),
    ...(facts.isGranted ? [{ kind: facts.isResponsible ? ('responsible' as const) : ('granted' as const) }] : []),
    ...(facts.takesPart ? [{ kind: 'participation' as const }] : []),
  ]
  const isMeant = facts.seesAll || facts.isInAudience || facts.isGranted || facts.takesPart
  const obstacles: Obstacle[] = [
    ...(facts.isAccountActive ? [] : (['inactive'] as const)),
    ...(facts.isDeleted ? (['deleted'] as const) : []),
    ...(facts.isDraft && !facts.mayAddEvents ? (['draft'] as const) : []),
    ...(isMeant ? [] : (['not_meant'] as const)),
  ]
  return { sees: obstacles.length === 0, reasons, obstacles }
}
