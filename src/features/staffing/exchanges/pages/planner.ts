import type { RequestContext } from '#platform/auth/context.ts'
import type { Html } from '#platform/html/html.ts'
import { findStandInsOf } from '../queries/stand-in.ts'
import { findSwapsOf } from '../queries/swap.ts'
import { standInsView } from '../views/stand-in.ts'
import { swapsView } from '../views/swap.ts'

/** Searches for stand-ins of a shift, for those who plan it. */
export async function standInsSection(
  { db, words, now }: RequestContext,
  shiftId: number,
  csrfToken: string,
): Promise<Html | false> {
  const rows = await findStandInsOf(db, shiftId)
  return rows.length > 0 && standInsView({ words, now, csrfToken, rows })
}

/** Proposals to swap a place of a shift, for those who plan it. */
export async function swapsSection(context: RequestContext, shiftId: number, csrfToken: string): Promise<Html | false> {
  const { words, now } = context
  const rows = await findSwapsOf(context, shiftId)
  return rows.length > 0 && swapsView({ words, now, csrfToken, shiftId, rows })
}
