import type { Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Task } from '#platform/jobs/worker.ts'
import { forecastShortShifts } from './commands/forecast.ts'
import { learnPastShifts } from './commands/learn.ts'

export const forecastTasks = ({ db, clock, site }: { db: Database; clock: Clock; site: Site }): Task[] => [
  {
    name: 'forecast_shifts',
    schedule: '41 * * * *',
    run: async () => {
      await learnPastShifts(db.write, clock.now())
      await forecastShortShifts(db.write, { now: clock.now(), timeZone: site.timeZone })
    },
  },
]
