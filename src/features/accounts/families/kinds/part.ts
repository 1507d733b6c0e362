import { sql } from 'kysely'
import { guardianshipsStay } from '#features/accounts/users/queries/guardians.ts'
import { GUARDIANSHIP_END_AGE, getDayOfAge } from '#features/accounts/users/rules.ts'
import { addPart } from '#features/messaging/notification-kinds/points.ts'

declare module '#features/messaging/notification-kinds/rules/details.ts' {
  interface NotificationParts {
    /** The child whose guardianships end. `endsOn`: `YYYY-MM-DD`; null: they do not end, or there are none any more. */
    guardianship?: { name: string; endsOn: string | null; canSignIn: boolean } | undefined
  }
}

type Stored = { name: string; born: string | null; isOpen: boolean; canSignIn: boolean }

export const guardianshipPart = addPart({
  name: 'guardianship',
  read: () => sql`(
    select json_build_object('name', c.display_name, 'born', c.date_of_birth,
      'isOpen', exists (select from guardianship g where g.child_id = c.id) and not exists (${guardianshipsStay}),
      'canSignIn', c.email not like '%@no-address.invalid' or c.username is not null)
    from user_profile c where c.id = (n.data ->> 'child_id')::bigint)`,
  parse: ({ name, born, isOpen, canSignIn }: Stored) => ({
    name,
    endsOn: isOpen && born !== null ? getDayOfAge(born, GUARDIANSHIP_END_AGE) : null,
    canSignIn,
  }),
  names: ['name'],
})
