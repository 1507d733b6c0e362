import { type RawBuilder, sql } from 'kysely'
import type { UserActor } from '#platform/auth/actor.ts'
import type { CommandContext, RequestContext } from '#platform/auth/context.ts'
import type { Condition } from '#platform/db/conditions.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { IconName } from '#platform/ui/icon.ts'
import type { RequestState } from './rules.ts'

export type RequestData = Readonly<Record<string, unknown>>
export type StoredRequest = { id: number; kind: string; user_id: number; data: RequestData; state: RequestState }

/** Texts that the description of a request needs besides its data. */
export type RequestDetails = Readonly<Record<string, string | null | undefined>>

/** What a person asks for in one line, and what proves it. */
export type RequestDescription = { text: string; link?: { href: string; label: string } | undefined }

/** A kind of request. The feature that it belongs to defines it and adds it to `requestKinds`. */
export type RequestKind = {
  name: string
  icon: IconName
  /** Whether the actor decides requests of this kind at all; absent: administrators see them beside others. */
  isDecider?: (context: RequestContext) => Promise<boolean>
  /** Condition on a request `r`: the actor may decide it. */
  isDecidedBy: (actor: UserActor) => Condition
  /** SQL for the details of a request `r`, a JSON object or null. It is part of the statement that reads requests of all kinds. */
  details?: RawBuilder<unknown>
  describe: (words: Words, request: Pick<StoredRequest, 'id' | 'data'> & { details: RequestDetails }) => RequestDescription
  /** Writes what was asked for, in the transaction of the decision. */
  apply: (tx: Tx, context: CommandContext, request: StoredRequest) => Promise<{ ok: true } | { ok: false; reason: string }>
  /** Called in the transaction of a refusal. */
  onRefused?: (tx: Tx, request: StoredRequest) => Promise<void>
}

/** Details of a request `r` of any kind. */
export function detailsOf(kinds: readonly RequestKind[]): RawBuilder<unknown> {
  const cases = kinds.flatMap(({ name, details }) => (details ? [sql`when ${name} then ${details}`] : []))
  return cases.length ? sql`coalesce(case r.kind ${sql.join(cases, sql` `)} end, '{}'::json)` : sql`'{}'::json`
}

/** Requests that the actor may decide, of all kinds. */
export const decidedBy = (kinds: readonly RequestKind[], actor: UserActor): Condition =>
  sql`(${sql.join(
    kinds.map((kind) => sql`(r.kind = ${kind.name} and ${kind.isDecidedBy(actor)})`),
    sql` or `,
  )})`
