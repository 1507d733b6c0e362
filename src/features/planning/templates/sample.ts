import { sql } from 'kysely'
import { eventValueColumns } from '#features/events/events/queries/shift-columns.ts'
import type { EventInput } from '#features/events/events/rules/event-fields.ts'
import { findStoredShifts } from '#features/planning/planning/queries/shifts.ts'
import { dateOf } from '#features/planning/series/rules/linking.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { SampleContext } from '#platform/features/sample-data.ts'
import { contentOf } from './rules/content.ts'

type Source = Omit<EventInput, 'responsibleUsers'> & { id: number }

const TEMPLATE = {
  title: { en: 'Football: Saltmouth Rovers v ', de: 'Fußball: SV Ahrensmünde – ' },
  name: { en: 'Home match', de: 'Heimspiel' },
  description: {
    en: 'First aid at the Dyke Road stadium, Sundays at 3 pm.',
    de: 'Sanitätsdienst im Stadion am Deich, sonntags um 15 Uhr.',
  },
}

/** The next home match, saved as a template. */
export async function loadTemplate({ language, tx, now, timeZone }: SampleContext): Promise<void> {
  const event = await rowsOf(tx).first(sql<Source>`
    select e.id, ${sql.join(Object.values(eventValueColumns))}, e.type_id as "typeId",
      array(select g.group_id from event_group_grant g where g.event_id = e.id and g.permission = 'view' order by 1) as groups,
      array(select g.group_id from event_group_grant g where g.event_id = e.id and g.permission = 'change' order by 1) as "responsibleGroups"
    from event e where e.title like ${`${TEMPLATE.title[language]}%`} and e.start_time > ${now} order by e.start_time limit 1`)
  if (!event) return
  const shifts = await findStoredShifts(tx, event.id)
  const more = { date: dateOf(shifts, timeZone) ?? null, resources: [], files: [], hasPeople: true }
  const content = contentOf({ ...event, title: TEMPLATE.title[language], responsibleUsers: [] }, shifts, more)
  const { id } = await tx
    .insertInto('event_template')
    .values({
      name: TEMPLATE.name[language],
      description: TEMPLATE.description[language],
      type_id: event.typeId,
      content: JSON.stringify(content),
      created_at: now,
      changed_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`insert into event_template_user (template_id, user_id)
    select ${id}, g.user_id from event_user_grant g where g.event_id = ${event.id} and g.permission = 'change'`.execute(tx)
}
