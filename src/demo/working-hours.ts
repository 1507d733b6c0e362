import type { Tx } from '#platform/db/transaction.ts'
import type { Calendar } from './calendar.ts'
import type { Person } from './people.ts'
import type { Random } from './random.ts'

const REASONS = [
  'Gerätewartung',
  'Wäsche und Desinfektion',
  'Jugendarbeit vorbereitet',
  'Website and newsletter',
  'Fahrzeugpflege',
  'Kassenprüfung',
]

/** Working hours outside of shifts. */
export async function loadWorkingHours(tx: Tx, people: Person[], random: Random, calendar: Calendar): Promise<number> {
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
  return rows.length
}
