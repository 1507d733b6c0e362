import { sql } from 'kysely'
import type { SampleContext } from '#platform/features/sample-data.ts'

/** Ann brings two people where the planner allows it, one of them without a name so far. */
export async function loadCompanions({ language, tx }: SampleContext): Promise<void> {
  const named = { en: 'Tom Parker', de: 'Tom Petersen' }[language]
  const unnamed = { en: 'Companion of', de: 'Begleitung von' }[language]
  await sql`
    insert into participation (kind, placeholder_name, brought_by_id, shift_id, event_id, state, start_time, end_time, created_at)
    select 'placeholder', name, p.id, p.shift_id, p.event_id, p.state, p.start_time, p.end_time, p.created_at
    from participation p join shift s on s.id = p.shift_id join user_profile u on u.id = p.user_id,
      unnest(array[${named}::text, ${unnamed} || ' ' || u.display_name || ' (1)']) name
    where u.email = 'ann@demo.example' and p.state = 1 and s.signup_flow_configuration ->> 'user_can_bring' > '0'`.execute(tx)
}
