import { makeAnswerToken } from '#features/staffing/inquiries/queries/answers.ts'
import { answerPath } from '#features/staffing/inquiries/rules/links.ts'
import { makeOfferToken } from '#features/staffing/offers/queries/offered.ts'
import { offerPath } from '#features/staffing/offers/rules/links.ts'
import type { Keyring } from '#platform/auth/secrets.ts'
import type { Asked } from '../rules/details.ts'

/** The page on which a person answers a question or an offer without signing in. */
export const askedPathFor =
  (keyring: Keyring) =>
  (asked: Asked): string =>
    'kind' in asked ? offerPath(makeOfferToken(keyring, asked)) : answerPath(makeAnswerToken(keyring, asked))
