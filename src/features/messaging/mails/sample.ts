import { sql } from 'kysely'
import type { SampleContext } from '#platform/features/sample-data.ts'
import { DAY } from '#platform/sample-data/calendar.ts'

/** One member whose address does not work any more, so that administrators see what that looks like. */
export async function loadFailedAddress({ tx, now }: SampleContext): Promise<void> {
  await sql`
    with failed as (
      update user_profile set email_invalid = true where id = (
        select max(u.id) from user_profile u
        where u.is_active and u.is_visible and u.date_of_birth < '2000-01-01' and u.email like '%.%@demo.example'
          and not exists (select from guardianship g where u.id in (g.guardian_id, g.child_id)))
      returning id, email)
    insert into email_failure (user_id, email, failed_at, reason)
    select id, email, ${new Date(now.getTime() - 5 * DAY)}, '550 5.1.1 The mailbox does not exist.' from failed`.execute(tx)
}
