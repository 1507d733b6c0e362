import { type Drift, findDrift, rebuildDenormalised } from '#features/operations/backup/commands/denormalised.ts'
import { repairStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { findWrongStatistics } from '#features/staffing/staffing/queries/staffing.ts'
import type { Check, CheckInput, Fact } from '../schema.ts'

const MAX_EXAMPLES = 5

/** Values that are stored although they follow from others. */
export const recordCheck: Check = {
  area: 'records',
  isThorough: true,
  find: async (input) => {
    const facts = [...(await findWrongRows(input)), ...(await findWrongFigures(input))]
    return facts.length ? facts : [{ state: 'good', text: input.words.t('status.records_good') }]
  },
}

const describeDrift = ({ words }: CheckInput, { what, count, examples }: Drift): string =>
  words.t('status.drift', { what, count, ids: examples.join(', ') })

async function findWrongRows(input: CheckInput): Promise<Fact[]> {
  const { db } = input
  // One rebuild fixes all of them.
  let fixed: Promise<void> | undefined
  const fix = () => {
    fixed ??= rebuildDenormalised(db.write)
    return fixed
  }
  return (await findDrift(db.read)).map((drift) => ({ state: 'bad', text: describeDrift(input, drift), fix }))
}

async function findWrongFigures(input: CheckInput): Promise<Fact[]> {
  const { db, now } = input
  const wrong = await findWrongStatistics(db.read, now)
  if (wrong.length === 0) return []
  const what = 'shift: missing, free, minimum and maximum'
  const drift = { what, count: wrong.length, examples: wrong.slice(0, MAX_EXAMPLES).map(({ id }) => id) }
  const fix = async () => repairStatistics(db.write, await findWrongStatistics(db.read, now))
  return [{ state: 'bad', text: describeDrift(input, drift), fix }]
}
