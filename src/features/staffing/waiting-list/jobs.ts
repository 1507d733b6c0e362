import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import { isOn } from '#platform/features/modules.ts'
import type { Task } from '#platform/jobs/worker.ts'
import { endExpiredOffers, offerDuePlaces } from './commands/offer.ts'
import { placeSteps } from './points.ts'

export const offerTasks = ({ db, clock, site }: { db: Database; clock: Clock; site: Site }): Task[] => [
  {
    name: 'offer_places',
    schedule: '* * * * *',
    isAlwaysOn: true,
    run: async () => {
      const context = { db: db.write, actor: ANONYMOUS, now: clock.now(), site, requestId: null }
      if (!isOn(site, 'waiting_list')) return endExpiredOffers(context)
      await offerDuePlaces(context)
      for (const step of site.added(placeSteps)) await step(context)
    },
  },
]
