import type { Permission } from '#platform/auth/permissions.ts'

/** Sample users with fixed ids, so that tables of cases can refer to them before the database exists. */
export type Person = {
  kind: 'person'
  id: number
  name: string
  email: string
  dateOfBirth: string | null
  phone: string | null
  isSuperuser?: boolean
  isStaff?: boolean
  isActive?: boolean
  isVisible?: boolean
  permissions?: Permission[]
}
export type Group = { kind: 'group'; id: number; name: string; members: Person[]; permissions?: Permission[] }
export type Partner = { kind: 'partner'; id: number; name: string; url: string }

const person = (id: number, name: string, dateOfBirth: string, rest: Partial<Person> = {}): Person => ({
  kind: 'person',
  id,
  name,
  email: `${name.toLowerCase()}@a.example`,
  dateOfBirth,
  phone: `+49 40 555000${id}`,
  ...rest,
})

/** A volunteer. */
export const ANN = person(1, 'Ann', '1990-03-14')
/** A planner, responsible for the events that name him. */
export const PAUL = person(2, 'Paul', '1985-11-02')
/** An administrator. */
export const OLGA = person(3, 'Olga', '1979-07-30', { isSuperuser: true })
/** Another volunteer. */
export const BEN = person(4, 'Ben', '1995-02-03')
/** May view all profiles; this gives no access to events. */
export const VERA = person(5, 'Vera', '1988-09-09', { permissions: ['view_user'] })

export const HELPERS: Group = { kind: 'group', id: 1, name: 'Helpers', members: [ANN, BEN] }
export const PLANNERS: Group = {
  kind: 'group',
  id: 2,
  name: 'Planners',
  members: [PAUL],
  permissions: ['add_event', 'delete_event'],
}

/** A partner instance that events can be shared with. */
export const NORD: Partner = { kind: 'partner', id: 1, name: 'Nord', url: 'https://nord.example' }

export const PEOPLE: Person[] = [ANN, PAUL, OLGA, BEN, VERA]
export const GROUPS: Group[] = [HELPERS, PLANNERS]
export const PARTNERS: Partner[] = [NORD]
