import { type ChangeKind, KINDS, SCOPES_OF_KIND } from '#features/sharing/change-feed/rules/kinds.ts'
import { isScope, type Scope } from '#platform/auth/scopes.ts'

/** Scopes that a webhook can have: it only reads. */
export const WEBHOOK_SCOPES = ['PUBLIC_READ', 'ME_READ', 'CONFIDENTIAL_READ'] as const satisfies readonly Scope[]
type WebhookScope = (typeof WEBHOOK_SCOPES)[number]

export const MAX_NAME_LENGTH = 100
export const MAX_DESCRIPTION_LENGTH = 1_000
export const MAX_URL_LENGTH = 2_000
export const MAX_WEBHOOKS_PER_OWNER = 20

export type WebhookValues = {
  name: string
  description: string
  url: string
  kinds: string[]
  scopes: string[]
  /** Messages contain the record as its owner may read it. */
  include_record: boolean
}
export type Field = keyof WebhookValues
export type Refusal = { field: Field; reason: Reason } | ({ field: 'kinds'; reason: 'scope_missing' } & Unseen)
export type WebhookRefusal = Refusal | { field: undefined; reason: 'too_many' }
type Reason =
  | 'no_name'
  | 'long_name'
  | 'long_description'
  | 'long_url'
  | 'not_a_url'
  | 'not_https'
  | 'not_public'
  | 'no_kind'
  | 'unknown_kind'
  | 'no_scope'
  | 'unknown_scope'
  | 'scope_not_held'

/** Kinds of which nothing is ever sent; each of the scopes would change that. */
export type Unseen = { kinds: ChangeKind[]; scopes: readonly string[] }

/** By the scopes that they lack. */
export function findUnseen(kinds: readonly string[], scopes: readonly string[]): Unseen[] {
  const unseen = KINDS.filter((kind) => {
    const needed: readonly string[] = SCOPES_OF_KIND[kind]
    return kinds.includes(kind) && needed.length > 0 && !needed.some((scope) => scopes.includes(scope))
  })
  return [...Map.groupBy(unseen, (kind) => SCOPES_OF_KIND[kind])].map(([needed, of]) => ({ kinds: of, scopes: needed }))
}

type Surroundings = {
  kinds: readonly string[]
  /** Scopes of the caller. */
  held: (scope: Scope) => boolean
  urlRefusal: 'not_a_url' | 'not_https' | 'not_public' | undefined
  /** What the webhook sends already: kinds that it never sees can stay. */
  former?: Pick<WebhookValues, 'kinds' | 'scopes'> | undefined
}

/** All mistakes at once. */
export function checkWebhook(values: WebhookValues, { kinds, held, urlRefusal, former }: Surroundings): Refusal[] {
  const { name, description, url } = values
  const isKnownScope = (scope: string): scope is WebhookScope => (WEBHOOK_SCOPES as readonly string[]).includes(scope)
  const kept = findUnseen(former?.kinds ?? [], former?.scopes ?? []).flatMap((each) => each.kinds)
  const isNew = (kind: string) => !kept.some((each) => each === kind)
  const hasScopes = values.scopes.length > 0 && values.scopes.every(isKnownScope)
  const unseen = hasScopes ? findUnseen(values.kinds.filter(isNew), values.scopes) : []
  const refusals: (Refusal | false)[] = [
    name === '' && { field: 'name', reason: 'no_name' },
    name.length > MAX_NAME_LENGTH && { field: 'name', reason: 'long_name' },
    description.length > MAX_DESCRIPTION_LENGTH && { field: 'description', reason: 'long_description' },
    url.length > MAX_URL_LENGTH && { field: 'url', reason: 'long_url' },
    urlRefusal !== undefined && { field: 'url', reason: urlRefusal },
    !values.kinds.length && { field: 'kinds', reason: 'no_kind' },
    values.kinds.some((kind) => !kinds.includes(kind)) && { field: 'kinds', reason: 'unknown_kind' },
    ...unseen.map((each) => ({ field: 'kinds', reason: 'scope_missing', ...each }) as const),
    !values.scopes.length && { field: 'scopes', reason: 'no_scope' },
    values.scopes.some((scope) => !isKnownScope(scope)) && { field: 'scopes', reason: 'unknown_scope' },
    values.scopes.some((scope) => isScope(scope) && !held(scope)) && { field: 'scopes', reason: 'scope_not_held' },
  ]
  return refusals.filter((refusal) => refusal !== false)
}

/** `off_owner`: the account of the owner is deactivated. */
export type WebhookState = 'active' | 'failing' | 'paused' | 'off_gone' | 'off_failing' | 'off_owner'

type StateFacts = { active: boolean; offReason: string | null; isOwnerActive: boolean; failures: number }

export function stateOf({ active, offReason, isOwnerActive, failures }: StateFacts): WebhookState {
  if (!active && offReason === 'gone') return 'off_gone'
  if (!active && offReason === 'failing') return 'off_failing'
  if (!active) return 'paused'
  if (!isOwnerActive) return 'off_owner'
  return failures > 0 ? 'failing' : 'active'
}

/** Where a webhook goes on. `isMissed`: the changes after its position are not kept any longer. */
export function placeIn(
  feed: { id: string; removedThrough: number },
  { feedId, position }: { feedId: string; position: number },
): { position: number; isMissed: boolean } {
  if (feedId !== feed.id) return { position: feed.removedThrough, isMissed: true }
  if (position < feed.removedThrough) return { position: feed.removedThrough, isMissed: true }
  return { position, isMissed: false }
}

/** Days for which the log of deliveries is kept. */
const KEPT_DAYS = 30

export const startOfLog = (now: Date): Date => new Date(now.getTime() - KEPT_DAYS * 24 * 3600_000)
