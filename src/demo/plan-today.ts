import type { EventPlan } from './plan.ts'

const TITLE = 'Blutspende im Rathaus'

/** An event that takes place today, whatever day it is. */
export const planToday = (weekday: number): EventPlan => ({
  week: 0,
  weekday,
  type: 'firstAid',
  title: TITLE,
  place: 'Rathaus, Bürgersaal',
  audience: ['medics'],
  responsible: ['paul'],
  text: 'Empfang, Betreuung und Imbiss. **Beim Kommen und Gehen den Code am Eingang scannen.**',
  shifts: [
    {
      label: 'Vormittag',
      from: '08:00',
      hours: 5,
      meet: 15,
      flow: { slug: 'instant_confirmation' },
      structure: { slug: 'uniform', min: 4, max: 6 },
    },
    {
      label: 'Nachmittag',
      from: '13:00',
      hours: 6,
      meet: 15,
      flow: { slug: 'instant_confirmation' },
      structure: { slug: 'uniform', min: 4, max: 6 },
      cast: { ann: 1 },
    },
  ],
})
