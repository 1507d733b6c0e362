import type { Person } from '#features/accounts/users/queries/person.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { extensionPoint } from '#platform/features/extension-points.ts'
import type { Child } from '#platform/html/html.ts'
import type { IconName } from '#platform/ui/icon.ts'

/** A link to what else can be done with an account. */
export type PersonAction = { href: string; label: string; help: string; icon: IconName }

/** What other features show on the page of a group, to those who may change it. */
export const groupPage = {
  section: extensionPoint<(context: RequestContext, group: { id: number }) => Promise<Child>>('people.group.section'),
}

/** What other features show and offer on the page of a person, to those who may change the person. */
export const personPage = {
  section: extensionPoint<(context: RequestContext, person: Person) => Promise<Child>>('people.person.section'),
  action:
    extensionPoint<(context: RequestContext, person: { userId: number }) => PersonAction | undefined>('people.person.action'),
  /** The address of the picture that the reader may see. */
  picture: extensionPoint<(context: RequestContext, userId: number) => Promise<string | undefined>>('people.person.picture'),
}
