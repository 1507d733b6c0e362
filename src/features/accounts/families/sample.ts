import { castMember, type SampleContext } from '#platform/features/sample-data.ts'
import { noAddress } from '#platform/no-address.ts'
import { DAY } from '#platform/sample-data/calendar.ts'

/** Two children of Paul in the youth group: one without a sign-in, one with a user name. Their mails go to him. */
export async function loadFamily(context: SampleContext): Promise<void> {
  const { language, tx, now, calendar, groups } = context
  const paul = castMember(context, 'paul')
  const family = { en: 'Parker', de: 'Petersen' }[language]
  const children = [
    { name: `Mia ${family}`, username: null, birthday: calendar.dayFrom(-70, -11) },
    { name: `Jonas ${family}`, username: `jonas.${family.toLowerCase()}`, birthday: calendar.dayFrom(-160, -14) },
  ]
  for (const { name, username, birthday } of children) {
    const { id } = await tx
      .insertInto('user_profile')
      .values({
        display_name: name,
        email: noAddress(name.toLowerCase().replaceAll(' ', '.')),
        email_invalid: true,
        username,
        contact_email: paul.email,
        date_of_birth: birthday,
        preferred_language: language,
        created_at: new Date(now.getTime() - 200 * DAY),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('user_group_member')
      .values((['members', 'youth'] as const).map((key) => ({ group_id: groups[key], user_id: id })))
      .execute()
    await tx
      .insertInto('guardianship')
      .values({ guardian_id: paul.id, child_id: id, since: new Date(now.getTime() - 100 * DAY) })
      .execute()
  }
}
