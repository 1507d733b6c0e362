import { z } from 'zod'
import { changeLanguage } from '#features/accounts/users/commands/credentials.ts'
import { getPerson } from '#features/accounts/users/queries/person.ts'
import { getOwnProfile } from '#features/accounts/users/queries/profiles.ts'
import { userRecord } from '#features/accounts/users/schema.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, writeEndpoint } from '#platform/http/endpoint.ts'
import { LANGUAGES } from '#platform/i18n/languages.ts'
import { presentProfile } from './reads.ts'

async function presentOwn(context: RequestContext) {
  const profile = await getOwnProfile(context)
  return profile && presentProfile(profile)
}

/** The language, which the record does not show. */
async function getOwnRevision({ db, actor }: RequestContext): Promise<string | undefined> {
  return actor.kind === 'user' ? (await getPerson(db, actor.userId))?.language : undefined
}

export const ownProfileWrites: Endpoint[] = [
  writeEndpoint({
    method: 'PATCH',
    path: '/api/users/me/',
    access: scope('ME_WRITE'),
    name: 'User Profile Me',
    operationId: 'users_me_update',
    tag: 'users',
    summary: 'Choose the language of pages and mails',
    description: 'Everything else in a profile is changed by the people who manage profiles.',
    suffix: false,
    body: z.strictObject({ language: z.enum(LANGUAGES).optional() }).meta({ example: { language: 'de' } }),
    target: presentOwn,
    revision: getOwnRevision,
    responses: { 200: { description: 'The profile', schema: userRecord, access: scope('ME_READ') } },
    perform: async (context, _path, { language }) => {
      if (language) await changeLanguage(context, language)
      return { status: 200, body: await presentOwn(context), revision: await getOwnRevision(context) }
    },
  }),
]
