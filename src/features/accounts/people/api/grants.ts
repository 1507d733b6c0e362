import { z } from 'zod'
import { lockAndRequirePerson } from '#features/accounts/users/commands/people.ts'
import { heldQualificationRecord } from '#features/accounts/users/schema.ts'
import type { WriteContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { scope } from '#platform/http/access.ts'
import { bodyDay } from '#platform/http/body-time.ts'
import { type Endpoint, type WriteAnswer, writeEndpoint } from '#platform/http/endpoint.ts'
import { Problem } from '#platform/http/problem.ts'
import { type GrantOutcome, grantQualification, withdrawQualification } from '../commands/grants.ts'
import { getGrantOf, getHeldQualification, type HeldQualification } from '../queries/held-qualifications.ts'
import { presentHeldQualificationOf } from './reads.ts'

const until = bodyDay.nullable().describe('The last day of its validity, in the time zone of the instance; null: unlimited')
const newBody = z
  .strictObject({ qualification_id: z.int().positive(), until: until.default(null) })
  .meta({ example: { qualification_id: 4, until: '2033-12-31' } })
const changeBody = z.strictObject({ until }).meta({ example: { until: '2033-12-31' } })

const tag = 'users'
const access = scope('CONFIDENTIAL_WRITE', 'change_user')
const RECORD = {
  description: 'The qualification of the person',
  schema: heldQualificationRecord,
  access: scope('CONFIDENTIAL_READ', 'view_user'),
}

export const grantWrites: Endpoint[] = [
  writeEndpoint({
    method: 'POST',
    path: '/api/users/{user}/qualifications/',
    access,
    name: 'User Qualification List',
    operationId: 'users_qualifications_create',
    tag,
    summary: 'Grant a qualification to a person',
    description:
      'A qualification that the person has already, also an expired one, is refused with `already_held`: change that one.',
    body: newBody,
    responses: { 201: RECORD },
    perform: async (context, { user }, { qualification_id: qualificationId, until: day }) => {
      const isHeld = await transact(context.db, async (tx) => {
        const person = await lockAndRequirePerson(tx, context, user)
        if (!person.isVisible) throw new Problem('not_found')
        return (await getGrantOf(tx, user, qualificationId)) !== undefined
      })
      if (isHeld) throw refuse(context, 'already_held')
      checkOutcome(context, await grantQualification(context, { userId: user, qualificationId, until: day }))
      const id = (await getGrantOf(context.db, user, qualificationId))!
      const answer = await answerWith(context, { user, id })
      return { ...answer, status: 201, headers: { location: `/api/users/${user}/qualifications/${id}/` } }
    },
  }),
  writeEndpoint({
    method: 'PATCH',
    path: '/api/users/{user}/qualifications/{id}/',
    access,
    name: 'User Qualification Instance',
    operationId: 'users_qualifications_update',
    tag,
    summary: 'Change how long a person has a qualification',
    body: changeBody,
    target: presentHeldQualificationOf,
    responses: { 200: RECORD },
    perform: async (context, path, { until: day }) => {
      const { qualification_id: qualificationId } = await requireGrant(context, path)
      checkOutcome(context, await grantQualification(context, { userId: path.user, qualificationId, until: day }))
      return answerWith(context, path)
    },
  }),
  writeEndpoint({
    method: 'DELETE',
    path: '/api/users/{user}/qualifications/{id}/',
    access,
    name: 'User Qualification Instance',
    operationId: 'users_qualifications_destroy',
    tag,
    summary: 'Withdraw a qualification of a person',
    target: presentHeldQualificationOf,
    responses: { 204: { description: 'Withdrawn' } },
    perform: async (context, path) => {
      const { qualification_id: qualificationId } = await requireGrant(context, path)
      checkOutcome(context, await withdrawQualification(context, { userId: path.user, qualificationId }))
      return { status: 204 }
    },
  }),
]

type GrantPath = { user: number; id: number }

/** Locked until the end of the request: a grant that was withdrawn meanwhile is not granted anew. */
async function requireGrant(context: WriteContext, { user, id }: GrantPath): Promise<HeldQualification> {
  const grant = await transact(context.db, async (tx) => {
    await lockAndRequirePerson(tx, context, user)
    return getHeldQualification({ ...context, db: tx }, { userId: user, isOwn: false }, id)
  })
  if (!grant) throw new Problem('not_found')
  return grant
}

function checkOutcome(context: WriteContext, outcome: GrantOutcome): void {
  if (!outcome.ok) throw refuse(context, outcome.reason)
}

function refuse({ words }: WriteContext, reason: 'unknown' | 'external' | 'already_held'): Problem {
  const pointer = reason === 'external' ? {} : { pointer: '/qualification_id' }
  return new Problem('refused', { errors: [{ ...pointer, code: reason, detail: words.t(`people.grant_${reason}`) }] })
}

async function answerWith(context: WriteContext, path: GrantPath): Promise<WriteAnswer> {
  return { status: 200, body: await presentHeldQualificationOf(context, path) }
}
