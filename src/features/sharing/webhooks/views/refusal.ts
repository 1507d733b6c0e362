import type { Words } from '#platform/i18n/words.ts'
import { MAX_WEBHOOKS_PER_OWNER, type Unseen, type WebhookRefusal } from '../rules/webhooks.ts'

type KindName = (kind: Unseen['kinds'][number]) => string

/** What a webhook with these kinds and scopes lacks. */
export const unseenNames = (words: Words, { kinds, scopes }: Unseen, kindName: KindName) => ({
  kinds: words.list(kinds.map(kindName)),
  scopes: scopes.join(' / '),
})

/** Programs know kinds by their codes, people by their names. */
export function refusalText(words: Words, refusal: WebhookRefusal, kindName: KindName): string {
  if (refusal.reason === 'scope_missing') return words.t('webhooks.scope_missing', unseenNames(words, refusal, kindName))
  return words.t(`webhooks.${refusal.reason}`, { count: MAX_WEBHOOKS_PER_OWNER })
}
