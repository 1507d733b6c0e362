import { type Kysely, sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { randomSecret } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { pairChanges } from '#platform/journal/kinds.ts'
import { isAddress, noAddress } from '#platform/no-address.ts'
import { formatPhone, type PhoneCountry, parsePhone } from '#platform/phone.ts'
import { mayManageHidden, requirePermission } from '../access.ts'
import { accountHooks } from '../points.ts'
import { getPerson, hasOtherAdministrator, type Person } from '../queries/person.ts'
import { dayOf, mayChangeEmail, mayChangeStaff, membershipsAfter, personState } from '../rules.ts'
import type { PersonForm } from '../schema.ts'
import { checkGivenRights } from './given-rights.ts'
import { lockAdministration, lockPerson } from './locks.ts'

/** Absent names stay as they are; a new person has none. */
type PersonInput = Omit<PersonForm, 'username' | 'contact_email'> & Partial<Pick<PersonForm, 'username' | 'contact_email'>>

/** Each reason begins with the name of its form field, except for the last. */
export type PersonRefusal =
  | 'email_taken'
  | 'email_locked'
  | 'email_needed'
  | 'username_taken'
  | 'date_of_birth_future'
  | 'phone_invalid'
  | 'groups_locked'
  | 'groups_unknown'
  | 'is_staff_locked'
  | 'is_staff_last'
  | 'is_visible_locked'
  | 'changed_meanwhile'
type PersonOutcome = { ok: true; userId: number; isChanged: boolean } | { ok: false; reasons: PersonRefusal[] }

/** The new person gets a mail with a link to choose a password. */
export async function createPerson(context: CommandContext, input: PersonInput): Promise<PersonOutcome> {
  const editor = requirePermission(context.actor, 'add_user')
  const phone = readPhone(input.phone, null, await accountHooks.of(context.site).getPhoneCountry(context.db))
  const form = { ...input, username: input.username ?? null, contact_email: input.contact_email ?? null, phone: phone ?? null }
  const reasons: PersonRefusal[] = checkDateOfBirth(context, form)
  if (phone === undefined) reasons.push('phone_invalid')
  const groupIds = membershipsAfter(editor, [], form.groups)
  if (!groupIds) reasons.push('groups_locked')
  if (form.is_staff && !editor.isStaff) reasons.push('is_staff_locked')
  if (!form.is_visible && !editor.isStaff) reasons.push('is_visible_locked')
  if (form.is_staff && !form.email && !form.username) reasons.push('email_needed')
  // All reasons at once; without others, the transaction checks it.
  if (reasons.length && groupIds && !(await doGroupsExist(context.db, groupIds))) reasons.push('groups_unknown')
  if (reasons.length || !groupIds) return { ok: false, reasons }
  const email = form.email || makeNoAddress()
  const columns = columnsOf({ ...form, email })
  return transact(context.db, async (tx): Promise<PersonOutcome> => {
    if (!(await doGroupsExist(tx, groupIds))) return { ok: false, reasons: ['groups_unknown'] }
    await checkGivenRights(tx, context, groupIds)
    const row = await tx
      .insertInto('user_profile')
      .values({ ...columns, email_invalid: !isAddress(email), is_staff: form.is_staff, created_at: context.now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!row) return { ok: false, reasons: [(await isTaken(tx, 'email', email)) ? 'email_taken' : 'username_taken'] }
    await setMemberships(tx, row.id, [], groupIds)
    await record(tx, context, {
      kind: 'user.created',
      subject: { kind: 'user', id: row.id },
      changes: { is_staff: form.is_staff, is_visible: form.is_visible, groups: groupIds },
      personal: { personId: row.id, values: personalOf(columns) },
    })
    // People without a name to sign in with are looked after by others.
    if (form.email || form.username) await accountHooks.of(context.site).sendWelcomeMail(tx, context, row.id)
    return { ok: true, userId: row.id, isChanged: true }
  })
}

/** The journal entry notifies the person about the change. Undefined: no such person. */
export async function changePerson(
  context: CommandContext,
  userId: number,
  input: PersonInput,
  { lock = lockAdministration }: { lock?: typeof lockAdministration } = {},
): Promise<PersonOutcome | undefined> {
  const editor = requirePermission(context.actor, 'change_user')
  return transact(context.db, async (tx): Promise<PersonOutcome | undefined> => {
    await lock(tx)
    await lockPerson(tx, userId)
    const person = await getPerson(tx, userId)
    if (!person || (!person.isVisible && !mayManageHidden(context.actor))) return undefined
    if (input.seen !== undefined && input.seen !== personState(person)) return { ok: false, reasons: ['changed_meanwhile'] }
    const phone = readPhone(input.phone, person.phone, await accountHooks.of(context.site).getPhoneCountry(tx))
    const { username = person.username, contact_email = person.contactEmail } = input
    const form = { ...input, username, contact_email, email: input.email || keptNoAddress(person), phone: phone ?? null }
    const reasons: PersonRefusal[] = checkDateOfBirth(context, form)
    if (phone === undefined) reasons.push('phone_invalid')
    // Links that open the account go to these addresses.
    const reaches = (who: { email: string; username: string | null; contact: string | null }) =>
      JSON.stringify([who.email, who.username, who.contact])
    const isReachedAnew =
      reaches({ ...form, contact: form.contact_email }) !== reaches({ ...person, contact: person.contactEmail })
    if (isReachedAnew && !mayChangeEmail(editor, person)) reasons.push('email_locked')
    if (form.email.toLowerCase() !== person.email.toLowerCase() && (await isTaken(tx, 'email', form.email, userId)))
      reasons.push('email_taken')
    if (form.username && (await isTaken(tx, 'username', form.username, userId))) reasons.push('username_taken')
    if (!input.email && !form.username && (form.is_staff || editor.userId === userId)) reasons.push('email_needed')
    const groupIds = membershipsAfter(editor, person.groupIds, form.groups)
    if (!groupIds) reasons.push('groups_locked')
    else if (!(await doGroupsExist(tx, groupIds))) reasons.push('groups_unknown')
    if (form.is_staff !== person.isStaff) {
      if (!mayChangeStaff(editor, person)) reasons.push('is_staff_locked')
      else if (!form.is_staff && person.isActive && !(await hasOtherAdministrator(tx, userId))) reasons.push('is_staff_last')
    }
    if (form.is_visible !== person.isVisible && !editor.isStaff) reasons.push('is_visible_locked')
    if (reasons.length || !groupIds) return { ok: false, reasons }
    await checkGivenRights(tx, context, missingIn(person.groupIds, groupIds))
    const left = missingIn(groupIds, person.groupIds)
    const isChanged = await save(tx, context, person, form, groupIds)
    await accountHooks.of(context.site).onMembershipsChanged(tx, { userIds: [userId], left, now: context.now })
    if (form.email.toLowerCase() !== person.email.toLowerCase() && !person.emailInvalid && isAddress(person.email))
      await accountHooks.of(context.site).announceEmailChange(tx, context, { userId, formerEmail: person.email })
    return { ok: true, userId, isChanged }
  })
}

async function save(tx: Tx, context: CommandContext, person: Person, form: PersonForm, groupIds: number[]): Promise<boolean> {
  const { userId } = person
  const { preferred_language, is_visible, ...details } = columnsOf(form)
  const personal = differences(
    {
      display_name: person.name,
      email: person.email,
      username: person.username,
      contact_email: person.contactEmail,
      date_of_birth: person.dateOfBirth,
      phone: person.phone,
    },
    details,
  )
  const settings = differences(
    { preferred_language: person.language, is_staff: person.isStaff, is_visible: person.isVisible },
    { preferred_language, is_staff: form.is_staff, is_visible },
  )
  const changed = { ...personal, ...settings }
  const groups = { added: missingIn(person.groupIds, groupIds), removed: missingIn(groupIds, person.groupIds) }
  const areGroupsChanged = groups.added.length + groups.removed.length > 0
  if (!Object.keys(changed).length && !areGroupsChanged) return false
  const values = Object.fromEntries(Object.entries(changed).map(([name, [, after]]) => [name, after]))
  // The flag belongs to the old address.
  if ('email' in changed) values.email_invalid = !isAddress(form.email)
  if (Object.keys(values).length) await tx.updateTable('user_profile').set(values).where('id', '=', userId).execute()
  await setMemberships(tx, userId, person.groupIds, groupIds)
  await record(tx, context, {
    kind: 'user.changed',
    subject: { kind: 'user', id: userId },
    changes: { ...settings, ...(areGroupsChanged ? { groups } : {}) },
    personal: { personId: userId, values: personal },
  })
  return true
}

type Columns = ReturnType<typeof columnsOf>
const columnsOf = (form: PersonForm) => ({
  display_name: form.name,
  email: form.email,
  username: form.username,
  contact_email: form.contact_email,
  date_of_birth: form.date_of_birth,
  phone: form.phone,
  preferred_language: form.language,
  is_visible: form.is_visible,
})
const personalOf = ({ display_name, email, username, contact_email, date_of_birth, phone }: Columns) => ({
  display_name,
  email,
  ...(username && { username }),
  ...(contact_email && { contact_email }),
  date_of_birth,
  phone,
})

const makeNoAddress = (): string => noAddress(randomSecret(20))

/** A person without an address keeps the stand-in, so that the API shows the same one. */
const keptNoAddress = ({ email }: Person): string => (isAddress(email) ? makeNoAddress() : email)

function differences<Values extends Record<string, unknown>>(before: NoInfer<Values>, after: Values) {
  const names = (Object.keys(after) as (keyof Values & string)[]).filter((name) => before[name] !== after[name])
  return pairChanges(names, before, after)
}

export const missingIn = (held: readonly number[], wanted: readonly number[]): number[] =>
  wanted.filter((id) => !held.includes(id))

const checkDateOfBirth = ({ now, site }: CommandContext, form: PersonForm): PersonRefusal[] =>
  form.date_of_birth && form.date_of_birth > dayOf(now, site.timeZone) ? ['date_of_birth_future'] : []

/**
 * The number to store; undefined if it cannot be called. A number that stays as it was is accepted in any form, because imports and
 * identity providers store what they get.
 */
export function readPhone(typed: string | null, stored: string | null, country: PhoneCountry): string | null | undefined {
  if (typed === null) return null
  if (stored !== null && (typed === stored || typed === formatPhone(stored))) return stored
  return parsePhone(typed, country)
}

async function isTaken(tx: Tx, column: 'email' | 'username', value: string, userId = 0): Promise<boolean> {
  const row = await tx
    .selectFrom('user_profile')
    .select('id')
    .where(sql`lower(${sql.ref(column)})`, '=', value.toLowerCase())
    .where('id', '!=', userId)
    .executeTakeFirst()
  return row !== undefined
}

async function doGroupsExist(tx: Kysely<DB>, groupIds: readonly number[]): Promise<boolean> {
  if (!groupIds.length) return true
  const { rows } = await sql<{
    id: number
  }>`select id from user_group where id = any (${groupIds}::bigint[]) for key share`.execute(tx)
  return rows.length === groupIds.length
}

export async function setMemberships(
  tx: Tx,
  userId: number,
  present: readonly number[],
  wanted: readonly number[],
): Promise<void> {
  const removed = missingIn(wanted, present)
  const added = missingIn(present, wanted)
  if (removed.length)
    await tx.deleteFrom('user_group_member').where('user_id', '=', userId).where('group_id', 'in', removed).execute()
  if (added.length)
    await tx
      .insertInto('user_group_member')
      .values(added.map((groupId) => ({ group_id: groupId, user_id: userId })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** Locks the row before reading it, so that the result stays current until the transaction ends. */
export async function lockAndRequirePerson(tx: Tx, context: CommandContext, userId: number): Promise<Person> {
  await lockPerson(tx, userId)
  const person = await getPerson(tx, userId)
  if (!person || (!person.isVisible && !mayManageHidden(context.actor))) throw new Problem('not_found')
  return person
}
