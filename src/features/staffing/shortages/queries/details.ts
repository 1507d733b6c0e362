import { loadSharedFacts } from '#features/staffing/eligibility/queries/eligibility.ts'
import { findFreePeople } from '#features/staffing/eligibility/queries/free-people.ts'
import { findInquiryCounts } from '#features/staffing/inquiries/queries/inquiries.ts'
import { findCoverage } from '#features/staffing/staffing/queries/coverage.ts'
import type { Shortage } from '#features/staffing/staffing/rules/coverage.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { findTrends } from './shortages.ts'

/** People counted per shift. Beyond, planners need no number. */
const MAX_COUNTED = 20
/** People judged per shift, so that the work of a page has a limit; some of those whom the database finds do not fit. */
const MAX_JUDGED_PER_SHIFT = 30
const TREND_MS = 7 * 24 * 3_600_000

type ShortageDetails = {
  shortages: readonly Shortage[]
  /** People who fit and are free; `more`: there are more than these, or there may be. */
  candidates: { count: number; more: 'yes' | 'maybe' | undefined }
  /** People who were asked: without an answer, and those who cannot. */
  asked: { open: number; cannot: number }
  trend: { signedUp: number; declined: number }
}

/** What a page of shifts shows about each. The caller plans them. The number of queries does not depend on the number of shifts. */
export async function findDetails(context: RequestContext, shiftIds: readonly number[]): Promise<Map<number, ShortageDetails>> {
  if (!shiftIds.length) return new Map()
  const { db, now } = context
  const shared = await loadSharedFacts(db, shiftIds, now)
  const coverage = await findCoverage(db, shiftIds, { qualifications: shared.inclusions, blocks: shared.blocks })
  const wanted = shiftIds.map((id) => ({ id, ways: (coverage.get(id)?.shortages ?? []).flatMap(({ needs }) => needs) }))
  const [free, trends, asked] = await Promise.all([
    findFreePeople(context, shared, wanted, { mostPerShift: MAX_JUDGED_PER_SHIFT }),
    findTrends(context, shiftIds, new Date(now.getTime() - TREND_MS)),
    findInquiryCounts(context, shiftIds),
  ])
  return new Map(
    shiftIds.map((id) => {
      const { people, isCut } = free.get(id)!
      return [
        id,
        {
          shortages: coverage.get(id)?.shortages ?? [],
          candidates: countOf(people.length, isCut),
          asked: asked.get(id) ?? { open: 0, cannot: 0 },
          trend: trends.get(id) ?? { signedUp: 0, declined: 0 },
        },
      ]
    }),
  )
}

function countOf(found: number, isCut: boolean): ShortageDetails['candidates'] {
  if (found > MAX_COUNTED) return { count: MAX_COUNTED, more: 'yes' }
  return { count: found, more: isCut ? 'maybe' : undefined }
}
