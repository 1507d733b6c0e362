import { sql } from 'kysely'
import type { SampleContext } from '#platform/features/sample-data.ts'

/** Qualifications that people ask for, and training events that grant one to their participants. */
export async function loadQualificationRequests({ language, tx, people, calendar }: SampleContext): Promise<void> {
  const qualifications = await tx.selectFrom('qualification').select(['id', 'title']).orderBy('id').execute()
  const visible = people.filter(({ isVisible }) => isVisible)
  const requests = [
    {
      person: visible[7],
      qualification: qualifications.at(-1),
      days: 3,
      note: { en: 'Course at the county college', de: 'Lehrgang in Itzehoe' }[language],
    },
    { person: visible[11], qualification: qualifications.at(-2), days: 1, note: '' },
  ]
  for (const { person, qualification, days, note } of requests) {
    if (!person || !qualification) continue
    const data = {
      qualification_id: qualification.id,
      event_id: null,
      expires: calendar.endOfDay(730 - days).toISOString(),
      acquired: calendar.dayFrom(-days - 10),
      ...(note ? { note } : {}),
    }
    await tx
      .insertInto('decision_request')
      .values({ kind: 'qualification', user_id: person.id, data: JSON.stringify(data), created_at: calendar.endOfDay(-days) })
      .execute()
  }
  const granted = { en: 'Medical assistant', de: 'Sanitätshelfer:in' }[language]
  const course = { en: `Course: ${granted}`, de: `Lehrgang ${granted}` }[language]
  await sql`insert into event_qualification (event_id, qualification_id, mode, recipients, valid_months, needs_decision)
    select e.id, q.id, 'every', 'all', 24, true from event e, qualification q
    where e.title = ${course} and q.title = ${granted} and e.end_time > ${calendar.endOfDay(0)}`.execute(tx)
}
