import { hasPermission, isStaff, type UserActor } from '#platform/auth/actor.ts'
import { PERMISSIONS } from '#platform/auth/permissions.ts'

type Viewer = UserActor
type Viewed = Pick<UserActor, 'userId' | 'isStaff' | 'isSuperuser' | 'permissions'>

/** Administrators may look at pages as people who have no right that they do not have themselves. */
export function mayViewAs(viewer: Viewer, person: Viewed): boolean {
  if (!isStaff(viewer) || viewer.via.kind !== 'session' || viewer.by || viewer.viewedBy) return false
  if (viewer.userId === person.userId || (person.isSuperuser && !viewer.isSuperuser)) return false
  const hasAll = (each: string) => PERMISSIONS.some((known) => known === each && hasPermission(viewer, known))
  return viewer.isSuperuser || [...person.permissions].every(hasAll)
}
