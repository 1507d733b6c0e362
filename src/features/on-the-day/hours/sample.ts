import type { Tx } from '#platform/db/transaction.ts'
import type { SampleContext } from '#platform/features/sample-data.ts'

const REASONS = [
  'Gerätewartung',
  'Wäsche und Desinfektion',
  'Jugendarbeit vorbereitet',
  'Website and newsletter',
  'Fahrzeugpflege',
  'Kassenprüfung',
]

/** Working hours outside of shifts. */
export async function loadWorkingHours({ tx, people, calendar, ...context }: SampleContext): Promise<void> {
  const random = context.random.fork('hours')
  const workers = people.filter(({ isVisible, castName }) => isVisible && (castName || random.chance(0.35)))
  const rows = workers.flatMap(({ id }) =>
    Array.from({ length: random.between(1, 2) }, () => ({
      user_id: id,
      hours: random.between(2, 16) / 2,
      reason: random.pick(REASONS),
      date: calendar.dayFrom(-random.between(3, 85)),
    })),
  )
  await tx.insertInto('working_hours').values(rows).execute()
  await loadRequests(tx, workers, calendar)
}

/** Requests that wait for a decision, and a refused one. */
async function loadRequests(tx: Tx, workers: readonly { id: number }[], calendar: SampleContext['calendar']): Promise<void> {
  const requests = [
    { state: 'open', days: 2, hours: 3, reason: 'Zelt gereinigt und eingelagert' },
    { state: 'open', days: 5, hours: 1.5, reason: 'Driver briefing prepared' },
    { state: 'refused', days: 20, hours: 40, reason: 'Bereitschaft zu Hause' },
  ]
  const rows = requests.flatMap(({ state, days, hours, reason }, index) => {
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
            comment: isDecided ? 'Bereitschaft zählt nicht als Arbeitszeit.' : '',
            created_at: calendar.endOfDay(-days),
            decided_at: isDecided ? calendar.endOfDay(-days + 1) : null,
          },
        ]
      : []
  })
  await tx.insertInto('decision_request').values(rows).execute()
}
