import type { Skills } from '#features/staffing/staffing/rules/model.ts'
import { expandSkills } from '#features/staffing/staffing/rules/skills.ts'
import { hashPassword } from '#platform/auth/passwords.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { SourceLanguage } from '#platform/i18n/languages.ts'
import type { Calendar } from '#platform/sample-data/calendar.ts'
import { DAY } from '#platform/sample-data/calendar.ts'
import type { Random } from '#platform/sample-data/random.ts'
import type { GroupKey, Groups } from './groups.ts'
import { makeNames } from './names.ts'
import type { QualificationKey, Qualifications } from './qualifications.ts'

export const CAST = ['olga', 'paul', 'ann'] as const
export type CastName = (typeof CAST)[number]
export type Passwords = Record<CastName, string>

export type Grant = { key: QualificationKey; expiresAt: Date | null }
type PersonPlan = {
  castName: CastName | null
  displayName: string
  email: string
  language: SourceLanguage
  birthday: string | null
  phone: string | null
  groups: GroupKey[]
  grants: Grant[]
  isActive: boolean
  isVisible: boolean
  isStaff: boolean
}
export type Person = PersonPlan & { id: number }

/** Qualifications that a person holds at a time, includes followed. */
export function skillsAt({ grants }: { grants: Grant[] }, at: Date, { idOf, inclusions }: Qualifications): Skills {
  const valid = grants.filter(({ expiresAt }) => !expiresAt || expiresAt >= at)
  return expandSkills(
    valid.map(({ key }) => idOf[key]),
    inclusions,
  )
}

type Role = 'fire' | 'medic' | 'youth' | 'member'
const ROLES: [Role, number][] = [
  ['fire', 23],
  ['medic', 17],
  ['youth', 6],
  ['member', 9],
]

const everlasting = (...keys: QualificationKey[]): Grant[] => keys.map((key) => ({ key, expiresAt: null }))

function grantsOf(role: Role, index: number, random: Random, calendar: Calendar): Grant[] {
  const until = (key: QualificationKey, least: number, most: number) => ({
    key,
    expiresAt: calendar.endOfDay(random.between(least, most)),
  })
  const grants: Grant[] = []
  if (role === 'fire') {
    grants.push(...everlasting(index < 2 ? 'ZF' : index < 5 ? 'GF' : index < 11 ? 'TF' : 'TM'))
    // Fitness for breathing apparatus lasts a year; a few missed the check.
    if (index % 2 === 0) grants.push(index % 10 === 4 ? until('AGT', -150, -10) : until('AGT', 150, 360))
    if (index % 3 !== 2) grants.push(...everlasting(index % 3 === 0 ? 'C' : 'B'))
    if (index % 5 !== 3) grants.push(...everlasting('Funk'))
  }
  if (role === 'medic') {
    grants.push(index < 4 ? { key: 'NotSan', expiresAt: null } : index < 9 ? until('RS', 200, 900) : until('SanH', 140, 700))
    if (index % 4 !== 3) grants.push(...everlasting(index % 4 === 0 ? 'C' : 'B'))
    if (index % 2 === 0) grants.push(...everlasting('Funk'))
  }
  if (role === 'youth' && index % 2 === 0) grants.push(until('EH', 20, 500))
  if (role === 'member') {
    grants.push(index % 3 === 2 ? until('EH', -400, -5) : until('EH', 10, 650))
    if (index % 2 === 0) grants.push(...everlasting('B'))
  }
  return grants
}

function groupsOf(role: Role, index: number): GroupKey[] {
  const groups: GroupKey[] = ['members']
  if (role === 'fire') groups.push('fire')
  if (role === 'medic') groups.push('medics')
  if (role === 'youth' || (role === 'fire' && index % 7 === 5)) groups.push('youth')
  if ((role === 'fire' && (index === 2 || index === 5)) || (role === 'medic' && index === 4)) groups.push('planning')
  if ((role === 'fire' && index < 2) || (role === 'medic' && index < 2)) groups.push('trainers')
  if (role === 'member' && index < 2) groups.push('hr')
  if (role === 'fire' && index === 0) groups.push('management')
  return groups
}

function castPlans(calendar: Calendar, language: SourceLanguage): PersonPlan[] {
  const person = { language, phone: null, isActive: true, isVisible: true, isStaff: false }
  const expiresAt = calendar.endOfDay(410)
  return [
    {
      ...person,
      castName: 'olga',
      displayName: { en: 'Olga Bennett', de: 'Olga Brandt' }[language],
      email: 'olga@demo.example',
      birthday: calendar.dayFrom(-40, -52),
      groups: ['management', 'fire', 'members'],
      grants: everlasting('GF', 'B', 'Funk'),
      isStaff: true,
    },
    {
      ...person,
      castName: 'paul',
      displayName: { en: 'Paul Parker', de: 'Paul Petersen' }[language],
      email: 'paul@demo.example',
      phone: phoneOf(99, language),
      birthday: calendar.dayFrom(-130, -38),
      groups: ['planning', 'fire', 'medics', 'members'],
      grants: [...everlasting('ZF', 'RS', 'C', 'Funk'), { key: 'AGT', expiresAt }],
    },
    {
      ...person,
      castName: 'ann',
      displayName: { en: 'Ann Baker', de: 'Ann Becker' }[language],
      email: 'ann@demo.example',
      birthday: calendar.dayFrom(-200, -27),
      groups: ['medics', 'members'],
      grants: [{ key: 'SanH', expiresAt }, ...everlasting('B')],
    },
  ]
}

function birthdayOf(role: Role, random: Random, calendar: Calendar): string | null {
  if (role === 'member' && random.chance(0.15)) return null
  const years = role === 'youth' ? random.between(16, 17) : random.between(role === 'member' ? 24 : 18, 66)
  return calendar.dayFrom(-random.between(1, 360), -years)
}

/** Mobile numbers that the regulators reserve for films and examples. */
const PHONES: Record<SourceLanguage, string> = { en: '+44 7700 9000', de: '+49 171 39200' }

const phoneOf = (index: number, language: SourceLanguage): string => `${PHONES[language]}${String(index).padStart(2, '0')}`

function planPeople(random: Random, calendar: Calendar, language: SourceLanguage): PersonPlan[] {
  const nameAt = makeNames(random.fork('names'), language)
  const other = language === 'de' ? 'en' : 'de'
  const people = castPlans(calendar, language)
  for (const [role, count] of ROLES) {
    for (let index = 0; index < count; index++) {
      people.push({
        ...nameAt(people.length),
        castName: null,
        // Some read another language than most.
        language: random.chance(0.7) ? language : other,
        birthday: birthdayOf(role, random, calendar),
        phone: random.chance(0.8) ? phoneOf(people.length, language) : null,
        groups: groupsOf(role, index),
        grants: grantsOf(role, index, random, calendar),
        isActive: !(role === 'member' && index === count - 1),
        isVisible: true,
        isStaff: false,
      })
    }
  }
  people.push({
    castName: null,
    displayName: { en: 'Station screen', de: 'Wachmonitor' }[language],
    email: 'wachmonitor@demo.example',
    language,
    birthday: null,
    phone: null,
    groups: [],
    grants: [],
    isActive: true,
    isVisible: false,
    isStaff: false,
  })
  return people
}

type PeopleOptions = {
  language: SourceLanguage
  now: Date
  random: Random
  calendar: Calendar
  passwords: Passwords
  groups: Groups
  qualifications: Qualifications
}

export async function loadPeople(
  tx: Tx,
  { language, now, random, calendar, passwords, groups, qualifications }: PeopleOptions,
): Promise<Person[]> {
  const plans = planPeople(random, calendar, language)
  const hashes = new Map(await Promise.all(CAST.map(async (name) => [name, await hashPassword(passwords[name])] as const)))
  const seen = random.fork('seen')
  // Most people signed in within the last weeks; some never did.
  const lastSeen = () => (seen.chance(1 / 12) ? null : new Date(now.getTime() - seen.between(0, 40) * DAY))
  const rows = await tx
    .insertInto('user_profile')
    .values(
      plans.map((plan) => ({
        email: plan.email,
        display_name: plan.displayName,
        date_of_birth: plan.birthday,
        phone: plan.phone,
        // Those who plan can be called by the people of their events.
        shows_phone: plan.castName === 'paul',
        is_active: plan.isActive,
        is_visible: plan.isVisible,
        is_staff: plan.isStaff,
        preferred_language: plan.language,
        password_hash: plan.castName && hashes.get(plan.castName)!,
        password_changed_at: plan.castName && now,
        created_at: new Date(now.getTime() - random.between(150, 1500) * DAY),
        last_sign_in_at: lastSeen(),
      })),
    )
    .returning('id')
    .execute()
  const people = plans.map((plan, index) => ({ ...plan, id: rows[index]!.id }))
  await tx
    .insertInto('user_group_member')
    .values(people.flatMap(({ id, groups: of }) => of.map((group) => ({ group_id: groups[group], user_id: id }))))
    .execute()
  await tx
    .insertInto('qualification_grant')
    .values(
      people.flatMap(({ id, grants }) =>
        grants.map(({ key, expiresAt }) => ({ user_id: id, qualification_id: qualifications.idOf[key], expires_at: expiresAt })),
      ),
    )
    .execute()
  // The trainers look after the minors.
  const minors = people.filter(({ birthday }) => birthday && calendar.ageAt(birthday, now) < 18)
  await tx
    .insertInto('profile_group_grant')
    .values(minors.map(({ id }) => ({ user_id: id, group_id: groups.trainers })))
    .execute()
  return people
}

export function castMember(people: Person[], name: CastName): Person {
  return people.find(({ castName }) => castName === name)!
}
