import type { UserActor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'

type Call = { operation: string; response_status: number; is_dry_run: boolean }

/** Notes a call of an assistant in the log, without its values. */
export async function recordCall(
  context: Pick<CommandContext<UserActor>, 'db' | 'actor' | 'now' | 'requestId'>,
  changes: Call,
): Promise<void> {
  const { via } = context.actor
  const id = via.kind === 'token' ? via.tokenId : null
  await transact(context.db, (tx) =>
    record(tx, context, { kind: 'assistant.called', subject: { kind: 'access_token', id }, changes }),
  )
}
