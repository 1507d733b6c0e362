import { sql } from 'kysely'
import { hasChildren } from '#features/accounts/users/queries/guardians.ts'
import { settingValue } from '#features/operations/settings/queries.ts'
import { userIdOf } from '#platform/auth/actor.ts'
import { layoutPart } from '#platform/features/layout.ts'
import { FAMILY } from './rules.ts'
import { familySettings } from './schema.ts'

/** The link to the family, for guardians and those who may add children. */
export const familyPart = layoutPart({
  read: ({ actor, now, site }) =>
    sql`(${hasChildren(userIdOf(actor), { now, site })} or ${settingValue(familySettings, 'people_add_children')})`,
  show: (hasFamily: boolean, { words, isAt }) =>
    hasFamily ? { accountLinks: [{ href: FAMILY, label: words.t('families.title'), icon: 'users', current: isAt(FAMILY) }] } : {},
})
