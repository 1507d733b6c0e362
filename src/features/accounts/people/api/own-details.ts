import { z } from 'zod'
import { changeOwnDetails } from '#features/accounts/users/commands/own-details.ts'
import { getOwnAccount } from '#features/accounts/users/queries/own-account.ts'
import { ownDetailsForm } from '#features/accounts/users/schema.ts'
import type { RequestContext, WriteContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, recordEndpoint, writeEndpoint } from '#platform/http/endpoint.ts'
import { parseLikeForm } from '#platform/http/form-errors.ts'
import { Problem } from '#platform/http/problem.ts'

const MAX_LENGTH = 254
const text = z.string().meta({ maxLength: MAX_LENGTH })
const phone = text.nullable().describe('In any usual form; stored as E.164')
const details = {
  display_name: z.string().meta({ minLength: 1, maxLength: MAX_LENGTH }),
  phone,
  shows_phone: z.boolean().describe('Whether people of the same shifts see the number'),
  emergency_name: text.nullable().describe('Whom to call in an emergency'),
  emergency_phone: phone,
}

const ownDetailsRecord = z.strictObject(details).meta({
  id: 'OwnDetails',
  examples: [
    {
      display_name: 'Ben',
      phone: '+4940555000',
      shows_phone: true,
      emergency_name: 'Ada',
      emergency_phone: '+4940555001',
    },
  ],
})
const changeBody = z
  .strictObject(details)
  .partial()
  .meta({ example: { phone: '+49 40 555000' } })
type OwnDetails = z.infer<typeof ownDetailsRecord>

async function getOwnDetails(context: RequestContext): Promise<OwnDetails | undefined> {
  const account = await getOwnAccount(context)
  return (
    account && {
      display_name: account.name,
      phone: account.phone,
      shows_phone: account.showsPhone,
      emergency_name: account.emergencyName,
      emergency_phone: account.emergencyPhone,
    }
  )
}

/** By the form of the page, with what is stored for keys that are absent. */
function readForm({ words }: WriteContext, body: z.infer<typeof changeBody>, stored: OwnDetails) {
  const wanted = { ...stored, ...body }
  const values = {
    name: wanted.display_name,
    phone: wanted.phone ?? '',
    ...(wanted.shows_phone ? { shows_phone: 'on' } : {}),
    emergency_name: wanted.emergency_name ?? '',
    emergency_phone: wanted.emergency_phone ?? '',
  }
  return parseLikeForm(ownDetailsForm.schema, values, { words, keys: { name: 'display_name' } })
}

const path = '/api/users/me/details/'
const shared = { path, name: 'Own Details', tag: 'users', suffix: false } as const

export const ownDetailsApi: Endpoint[] = [
  recordEndpoint({
    ...shared,
    access: scope('ME_READ'),
    operationId: 'users_me_details_retrieve',
    summary: 'What people enter about themselves: name, phone, emergency contact',
    parameters: {},
    record: ownDetailsRecord,
    get: getOwnDetails,
    present: (row: OwnDetails) => row,
  }),
  writeEndpoint({
    ...shared,
    method: 'PATCH',
    access: scope('ME_WRITE'),
    operationId: 'users_me_details_update',
    summary: 'Change the own name, phone and emergency contact',
    description: 'Keys that are absent stay as they are. Refused with `name_locked` where others manage names.',
    body: changeBody,
    target: getOwnDetails,
    responses: { 200: { description: 'The own details', schema: ownDetailsRecord, access: scope('ME_READ') } },
    perform: async (context, _path, body) => {
      const stored = await getOwnDetails(context)
      if (!stored || context.actor.kind !== 'user') throw new Problem('not_found')
      const { words } = context
      const outcome = await changeOwnDetails(context, readForm(context, body, stored))
      if (!outcome.ok) {
        const detail = words.t(`people.refused_${outcome.reason}`)
        const errors = outcome.fields.map((field) => ({ pointer: `/${field}`, code: outcome.reason, detail }))
        throw new Problem('invalid_input', { errors })
      }
      const after = await getOwnDetails(context)
      // The command keeps a locked name.
      const wished = body.display_name?.trim() ?? stored.display_name
      if (wished !== stored.display_name && after?.display_name === stored.display_name) {
        const detail = words.t('people.refused_name_locked')
        throw new Problem('refused', { errors: [{ pointer: '/display_name', code: 'name_locked', detail }] })
      }
      return { status: 200, body: after, about: context.actor.userId }
    },
  }),
]
