import { findExtensions } from '#features/operations/extensions/queries/extensions.ts'
import type { Check, Fact } from '../schema.ts'

/** As the servers found them at their last start. */
export const extensionCheck: Check = {
  area: 'extensions',
  find: async ({ db, words }) => {
    const found = await findExtensions(db.read)
    return found.flatMap(({ name, version, problem, stoppedBecause }): Fact[] => {
      if (problem !== null) return [{ state: 'bad', text: words.t('status.extension_problem', { name, reason: problem }) }]
      if (stoppedBecause !== null)
        return [
          { state: 'bad', text: words.t('status.extension_stopped', { name, reason: stoppedBecause }), href: '/manage/modules/' },
        ]
      return [{ state: 'good', text: words.t('status.extension', { name, version: version ?? '' }) }]
    })
  },
}
