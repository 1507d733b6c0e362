import type { Permission } from '#platform/auth/permissions.ts'

/** The fixed cast. Ids are fixed, too, so that tables of cases can name people before there is a world. */
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

/** Volunteers. */
export const ANN = person(1, 'Ann', '1990-03-14')
/** Plans events, which makes him responsible for those that say so. */
export const PAUL = person(2, 'Paul', '1985-11-02')
/** Administers. */
export const OLGA = person(3, 'Olga', '1979-07-30', { isSuperuser: true })
/** Volunteers, too. */
export const BEN = person(4, 'Ben', '1995-02-03')
/** Looks after people: may view all profiles, and no event by that. */
export const VERA = person(5, 'Vera', '1988-09-09', { permissions: ['view_user'] })

export const HELPERS: Group = { kind: 'group', id: 1, name: 'Helpers', members: [ANN, BEN] }
export const PLANNERS: Group = {
  kind: 'group',
  id: 2,
  name: 'Planners',
  members: [PAUL],
  permissions: ['add_event', 'delete_event'],
}

/** Another instance, with which events can be shared. */
export const NORD: Partner = { kind: 'partner', id: 1, name: 'Nord', url: 'https://nord.example' }

export const CAST: Person[] = [ANN, PAUL, OLGA, BEN, VERA]
export const GROUPS: Group[] = [HELPERS, PLANNERS]
export const PARTNERS: Partner[] = [NORD]
