import type { SampleText } from '#platform/sample-data/language.ts'
import type { EventPlan } from './plan.ts'

const TITLE = { en: 'Blood drive at the town hall', de: 'Blutspende im Rathaus' }

/** An event that takes place today, whatever day it is. */
export const planToday = (weekday: number): EventPlan<SampleText> => ({
  week: 0,
  weekday,
  type: 'firstAid',
  title: TITLE,
  place: { en: 'Town hall, assembly room', de: 'Rathaus, Bürgersaal' },
  audience: ['medics'],
  responsible: ['paul'],
  text: {
    en: 'Reception, aftercare and snacks. **Scan the code at the entrance when you come and when you go.**',
    de: 'Empfang, Betreuung und Imbiss. **Beim Kommen und Gehen den Code am Eingang scannen.**',
  },
  shifts: [
    {
      label: { en: 'Morning', de: 'Vormittag' },
      from: '08:00',
      hours: 5,
      meet: 15,
      flow: { slug: 'instant_confirmation' },
      structure: { slug: 'uniform', min: 4, max: 6 },
    },
    {
      label: { en: 'Afternoon', de: 'Nachmittag' },
      from: '13:00',
      hours: 6,
      meet: 15,
      flow: { slug: 'instant_confirmation' },
      structure: { slug: 'uniform', min: 4, max: 6 },
      cast: { ann: 1 },
    },
  ],
})
