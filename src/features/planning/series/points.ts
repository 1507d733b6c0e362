import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { extensionPoint } from '#platform/features/extension-points.ts'

/** Copies data of another feature. `shifts`: ids of the copied shifts by those of the originals. */
type CopyHook = (
  tx: Tx,
  context: CommandContext,
  ids: { from: number; to: number },
  shifts: ReadonlyMap<number, number>,
) => Promise<void>

/** What else is copied with an event. */
export const copyHooks = extensionPoint<CopyHook>('series.copy', { isAlwaysOn: true })
