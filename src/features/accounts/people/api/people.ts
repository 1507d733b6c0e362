import { z } from 'zod'
import {
  type AccountChange,
  deactivatePerson,
  deletePerson,
  reactivatePerson,
} from '#features/accounts/users/commands/account-state.ts'
import { changePerson, createPerson, type PersonRefusal } from '#features/accounts/users/commands/people.ts'
import { getPersonRevision, getVisiblePerson, type Person } from '#features/accounts/users/queries/person.ts'
import { personState } from '#features/accounts/users/rules.ts'
import { type PersonForm, personForm, userRecord } from '#features/accounts/users/schema.ts'
import type { WriteContext } from '#platform/auth/context.ts'
import { checkPermission, scope } from '#platform/http/access.ts'
import { type Endpoint, type WriteAnswer, writeEndpoint } from '#platform/http/endpoint.ts'
import { parseLikeForm } from '#platform/http/form-errors.ts'
import { type InputError, Problem, requireFound } from '#platform/http/problem.ts'
import { LANGUAGES } from '#platform/i18n/languages.ts'
import { shownAddress } from '#platform/no-address.ts'
import { presentUser } from './reads.ts'

const personFields = {
  display_name: z.string().meta({ minLength: 1, maxLength: 254 }),
  email: z.string().meta({ maxLength: 254 }),
  date_of_birth: z.iso.date().nullable().optional(),
  phone: z.string().meta({ maxLength: 254 }).nullable().optional().describe('In any usual form; stored as E.164'),
  language: z.enum(LANGUAGES).optional().describe('Of mails and pages'),
  groups: z
    .array(z.int().positive())
    .max(2_000)
    .optional()
    .describe('Ids. Without `change_group`, callers assign and remove only the groups that they are in; other groups stay'),
}
const newBody = z
  .strictObject(personFields)
  .meta({ example: { display_name: 'Ben', email: 'ben@turnout.example', language: 'en', groups: [3] } })
const changeBody = z
  .strictObject(personFields)
  .partial()
  .meta({ example: { phone: '+49 40 555000' } })
type PersonBody = z.infer<typeof changeBody>

const tag = 'users'
const RECORD = { description: 'The profile', schema: userRecord, access: scope('CONFIDENTIAL_READ', 'view_user') }
const LISTED = 'People who are hidden from lists, such as service accounts, are managed on the pages only.'
const mayChange = scope('CONFIDENTIAL_WRITE', 'change_user')

export const peopleWrites: Endpoint[] = [
  writeEndpoint({
    method: 'POST',
    path: '/api/users/',
    access: scope('CONFIDENTIAL_WRITE', 'add_user'),
    name: 'User List',
    operationId: 'users_create',
    tag,
    summary: 'Add a person',
    description: 'The person gets a mail with a link to choose a password. Administrators are appointed on the pages only.',
    body: newBody,
    responses: { 201: RECORD },
    perform: async (context, _path, body) => {
      const form = readForm(context, body)
      const outcome = await createPerson(context, form)
      if (!outcome.ok) throw refusalOf(context, outcome.reasons)
      const location = `/api/users/${outcome.userId}/`
      return { ...(await answerWith(context, outcome.userId)), status: 201, headers: { location } }
    },
  }),
  writeEndpoint({
    method: 'PATCH',
    path: '/api/users/{id}/',
    access: mayChange,
    name: 'User Instance',
    operationId: 'users_update',
    tag,
    summary: 'Change a person',
    description: `Keys that are absent stay as they are. Needs the permission \`view_user\`, too. ${LISTED}`,
    body: changeBody,
    target: presentUser,
    revision: getPersonRevision,
    responses: { 200: RECORD },
    perform: async (context, { id }, body) => {
      checkPermission(context.actor, 'view_user')
      const person = await requirePerson(context, id)
      const form = { ...readForm(context, body, person), seen: personState(person) }
      const outcome = requireFound(await changePerson(context, id, form))
      if (!outcome.ok) throw refusalOf(context, outcome.reasons)
      return answerWith(context, id)
    },
  }),
  writeEndpoint({
    method: 'DELETE',
    path: '/api/users/{id}/',
    access: scope('CONFIDENTIAL_WRITE', 'delete_user'),
    name: 'User Instance',
    operationId: 'users_destroy',
    tag,
    summary: 'Delete a person and their personal data',
    description: `Cannot be undone. Frees future places; past participations and hours stay without a name. ${LISTED}`,
    target: presentUser,
    revision: getPersonRevision,
    responses: { 204: { description: 'Deleted' } },
    perform: async (context, { id }) => {
      await requirePerson(context, id)
      checkAccountChange(context, await deletePerson(context, id))
      return { status: 204 }
    },
  }),
  ...(['deactivate', 'activate'] as const).map((what) =>
    writeEndpoint({
      method: 'POST',
      path: `/api/users/{id}/${what}/`,
      access: mayChange,
      name: what === 'activate' ? 'Activate User' : 'Deactivate User',
      operationId: `users_${what}_create`,
      tag,
      summary: what === 'activate' ? 'Open an account again' : 'Close an account',
      description:
        what === 'activate'
          ? 'Changes nothing if the account is active. Needs the permission `view_user`, too.'
          : 'Ends sessions and frees future places. Changes nothing if the account is inactive. Needs the permission `view_user`, too.',
      target: (context, path) => presentUser(context, path as { id: number }),
      revision: (context, path) => getPersonRevision(context, path as { id: number }),
      responses: { 200: RECORD },
      perform: async (context, path) => {
        const { id } = path as { id: number }
        checkPermission(context.actor, 'view_user')
        await requirePerson(context, id)
        const change = what === 'activate' ? reactivatePerson(context, id) : deactivatePerson(context, id)
        checkAccountChange(context, await change)
        return answerWith(context, id)
      },
    }),
  ),
]

/** As the lists: hidden people are not found, even for administrators. */
async function requirePerson(context: WriteContext, id: number): Promise<Person> {
  const person = await getVisiblePerson(context, id)
  if (!person?.isVisible) throw new Problem('not_found')
  return person
}

const KEYS = { name: 'display_name' }
const withAddress = personForm.schema.refine(({ email }) => email !== '', { path: ['email'], message: 'people.email_missing' })

function readForm({ words }: WriteContext, body: PersonBody, person?: Person): PersonForm {
  const { display_name, email, date_of_birth, phone, language, groups } = body
  const kept = <T>(given: T | undefined, stored: T | undefined): T | undefined => (given === undefined ? stored : given)
  const values = {
    name: kept(display_name, person?.name),
    email: email ?? (person ? (shownAddress(person.email) ?? '') : ''),
    username: person?.username ?? '',
    contact_email: person?.contactEmail ?? '',
    date_of_birth: kept(date_of_birth, person?.dateOfBirth) ?? '',
    phone: kept(phone, person?.phone) ?? '',
    language: kept(language, person?.language) ?? words.language,
    groups: (kept<readonly number[]>(groups, person?.groupIds) ?? []).map(String),
    ...(person?.isStaff ? { is_staff: 'on' } : {}),
    is_visible: 'on',
  }
  // Callers name an address; people without one are managed on the pages.
  const schema = person && email === undefined ? personForm.schema : withAddress
  return parseLikeForm(schema, values, { words, keys: KEYS })
}

const POINTERS: Record<PersonRefusal, string | undefined> = {
  email_taken: '/email',
  email_locked: '/email',
  email_needed: '/email',
  username_taken: undefined,
  date_of_birth_future: '/date_of_birth',
  phone_invalid: '/phone',
  groups_locked: '/groups',
  groups_unknown: '/groups',
  is_staff_locked: undefined,
  is_staff_last: undefined,
  is_visible_locked: undefined,
  changed_meanwhile: undefined,
}

function refusalOf({ words }: WriteContext, reasons: readonly PersonRefusal[]): Problem {
  // Somebody saved the person between the reading and the lock; the same request works when it is repeated.
  if (reasons.includes('changed_meanwhile')) return new Problem('conflict', { headers: { 'retry-after': '1' } })
  const errors = reasons.map((code): InputError => {
    const pointer = POINTERS[code]
    return { ...(pointer ? { pointer } : {}), code, detail: words.t(`people.refused_${code}`) }
  })
  return new Problem('refused', { errors })
}

function checkAccountChange({ words }: WriteContext, outcome: AccountChange): void {
  if (outcome.ok) return
  const { reason: code } = outcome
  throw new Problem('refused', { errors: [{ code, detail: words.t(`people.refused_${code}`) }] })
}

async function answerWith(context: WriteContext, id: number): Promise<WriteAnswer> {
  const revision = await getPersonRevision(context, { id })
  return { status: 200, body: await presentUser(context, { id }), revision, about: id }
}
