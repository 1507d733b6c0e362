import type { RequestContext } from '#platform/auth/context.ts'

export type OwnAccount = {
  name: string
  email: string
  username: string | null
  dateOfBirth: string | null
  phone: string | null
  showsPhone: boolean
  emergencyName: string | null
  emergencyPhone: string | null
  groups: string[]
  qualifications: { title: string; category: string; expiresAt: Date | null }[]
}

/** The caller's data, including expired qualifications. */
export async function getOwnAccount({ db, actor }: RequestContext): Promise<OwnAccount | undefined> {
  if (actor.kind !== 'user') return undefined
  const { userId } = actor
  const [person, groups, qualifications] = await Promise.all([
    db
      .selectFrom('user_profile')
      .select([
        'display_name as name',
        'email',
        'username',
        'date_of_birth as dateOfBirth',
        'phone',
        'shows_phone as showsPhone',
        'emergency_name as emergencyName',
        'emergency_phone as emergencyPhone',
      ])
      .where('id', '=', userId)
      .executeTakeFirst(),
    db
      .selectFrom('user_group_member as m')
      .innerJoin('user_group as g', 'g.id', 'm.group_id')
      .select('g.name')
      .where('m.user_id', '=', userId)
      .orderBy('g.name')
      .execute(),
    db
      .selectFrom('qualification_grant as h')
      .innerJoin('qualification as q', 'q.id', 'h.qualification_id')
      .innerJoin('qualification_category as c', 'c.id', 'q.category_id')
      .select(['q.title', 'c.title as category', 'h.expires_at as expiresAt'])
      .where('h.user_id', '=', userId)
      .orderBy('c.title')
      .orderBy('q.title')
      .orderBy('q.id')
      .execute(),
  ])
  return person && { ...person, groups: groups.map(({ name }) => name), qualifications }
}
