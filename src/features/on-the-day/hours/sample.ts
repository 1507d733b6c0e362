import type { SampleContext } from '#platform/features/sample-data.ts'
import { inLanguage } from '#platform/sample-data/language.ts'

const REASONS = [
  { en: 'Equipment maintenance', de: 'Gerätewartung' },
  { en: 'Laundry and disinfection', de: 'Wäsche und Desinfektion' },
  { en: 'Prepared the youth evening', de: 'Jugendarbeit vorbereitet' },
  { en: 'Website and newsletter', de: 'Website und Rundbrief' },
  { en: 'Washed the vehicles', de: 'Fahrzeugpflege' },
  { en: 'Audited the accounts', de: 'Kassenprüfung' },
]
const REQUESTS = [
  { state: 'open', days: 2, hours: 3, reason: { en: 'Cleaned and stored the tent', de: 'Zelt gereinigt und eingelagert' } },
  {
    state: 'open',
    days: 5,
    hours: 1.5,
    reason: { en: 'Prepared the briefing for drivers', de: 'Einweisung der Fahrer vorbereitet' },
  },
  { state: 'refused', days: 20, hours: 40, reason: { en: 'On standby at home', de: 'Bereitschaft zu Hause' } },
]
const REFUSAL = { en: 'Standby does not count as working hours.', de: 'Bereitschaft zählt nicht als Arbeitszeit.' }

/** Working hours outside of shifts. */
export async function loadWorkingHours(context: SampleContext): Promise<void> {
  const { language, tx, people, calendar } = context
  const random = context.random.fork('hours')
  const workers = people.filter(({ isVisible, castName }) => isVisible && (castName || random.chance(0.35)))
  const rows = workers.flatMap(({ id }) =>
    Array.from({ length: random.between(1, 2) }, () => ({
      user_id: id,
      hours: random.between(2, 16) / 2,
      reason: random.pick(REASONS)[language],
      date: calendar.dayFrom(-random.between(3, 85)),
    })),
  )
  await tx.insertInto('working_hours').values(rows).execute()
  await loadRequests(context, workers)
}

/** Requests that wait for a decision, and a refused one. */
async function loadRequests({ language, tx, calendar }: SampleContext, workers: readonly { id: number }[]): Promise<void> {
  const rows = inLanguage(REQUESTS, language).flatMap(({ state, days, hours, reason }, index) => {
    const person = workers[index]
    const date = calendar.dayFrom(-days)
    const isDecided = state !== 'open'
    return person
      ? [
          {
            kind: 'working_hours',
            user_id: person.id,
            data: JSON.stringify({ date, hours, reason }),
            state,
            comment: isDecided ? REFUSAL[language] : '',
            created_at: calendar.endOfDay(-days),
            decided_at: isDecided ? calendar.endOfDay(-days + 1) : null,
          },
        ]
      : []
  })
  await tx.insertInto('decision_request').values(rows).execute()
}
