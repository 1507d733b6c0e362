import { countOverdueJobs } from '#platform/jobs/worker.ts'
import { findRecentErrors } from '#platform/log.ts'
import { countFailedJobs, findFailedJobs } from '../queries.ts'
import type { Check, Fact } from '../schema.ts'

export const jobCheck: Check = {
  area: 'jobs',
  find: async ({ db, words }) => {
    const overdue = await countOverdueJobs(db)
    const failed = await countFailedJobs(db.read)
    const bad: Fact[] = []
    if (overdue) bad.push({ state: 'bad', text: words.t('status.jobs_overdue', { count: overdue }) })
    if (failed) bad.push({ state: 'bad', text: words.t('status.jobs_failed', { count: failed }) })
    return bad.length ? bad : [{ state: 'good', text: words.t('status.jobs_done') }]
  },
}

const MAX_SHOWN = 10

/** For looking them up in the log: what failed is counted by other checks. */
export const errorCheck: Check = {
  area: 'errors',
  find: async ({ db, now, words }) => {
    const jobs = (await findFailedJobs(db.read, MAX_SHOWN)).map(({ at, task, error }) => ({ at, what: `${task}: ${error}` }))
    const errors = [...jobs, ...findRecentErrors()].sort((a, b) => b.at.getTime() - a.at.getTime()).slice(0, MAX_SHOWN)
    if (!errors.length) return [{ state: 'good', text: words.t('status.errors_none') }]
    return errors.map(({ at, what }) => ({
      state: 'info',
      text: words.t('status.error', { when: words.relative(at, now), what }),
    }))
  },
}
