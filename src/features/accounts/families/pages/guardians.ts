import { PEOPLE, personPath } from '#features/accounts/people/views/people.ts'
import { addGuardian, endGuardianship } from '#features/accounts/users/commands/guardians.ts'
import { findChildren, findGuardians } from '#features/accounts/users/queries/guardians.ts'
import { requireVisiblePerson } from '#features/accounts/users/queries/person.ts'
import { getSettings } from '#features/operations/settings/queries.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Html } from '#platform/html/html.ts'
import { permission } from '#platform/http/access.ts'
import { actionPage, formPage, type Page } from '#platform/http/page.ts'
import { EMPTY_STATE } from '#platform/ui/form-values.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { guardiansPath } from '../rules.ts'
import { endForm, familySettings, guardianForm } from '../schema.ts'
import { guardiansSummaryView, guardiansView } from '../views.ts'

/** Guardians and children of a person, for those who manage people. */
export async function personGuardiansSection(context: RequestContext, { userId }: { userId: number }): Promise<Html> {
  const [guardians, children] = await Promise.all([findGuardians(context, userId), findChildren(context, userId)])
  return guardiansSummaryView({ words: context.words, userId, guardians, children })
}

export const guardianPages: Page[] = [
  formPage({
    path: '/manage/people/{id}/guardians/',
    access: permission('change_user'),
    form: guardianForm.schema,
    show: async (request, refused) => {
      const { context, csrfToken } = request
      const { words } = context
      const { userId, name } = await requireVisiblePerson(request.context, request.path.id)
      const guardians = await findGuardians(context, userId)
      const main = guardiansView({ words, csrfToken, userId, name, guardians, state: refused ?? EMPTY_STATE })
      const crumbs = manageCrumbs(words, { href: PEOPLE, label: words.t('people.title') })
      return {
        title: words.t('families.guardians_of', { name }),
        breadcrumb: [...crumbs, { href: personPath(userId), label: name }],
        main,
      }
    },
    submit: async (request, { guardian }) => {
      const { words, db } = request.context
      const { userId, name } = await requireVisiblePerson(request.context, request.path.id)
      const { guardianship_stays: stays } = await getSettings(db, familySettings)
      const outcome = await addGuardian(request.commandContext, { childId: userId, guardian, endsAtAge: !stays })
      if (!outcome.ok) return { refused: [{ field: 'guardian', text: words.t(`families.refused_${outcome.reason}`) }] }
      const text = words.t('families.guardian_added', { guardian: outcome.name, name })
      return { redirect: guardiansPath(userId), flash: { kind: 'good', text } }
    },
  }),
  actionPage({
    path: '/manage/people/{id}/guardians/end/',
    access: permission('change_user'),
    form: endForm,
    submit: async (request, { guardian }) => {
      const { words } = request.context
      const { userId, name } = await requireVisiblePerson(request.context, request.path.id)
      await endGuardianship(request.commandContext, { guardianId: guardian, childId: userId })
      return { redirect: guardiansPath(userId), flash: { kind: 'info', text: words.t('families.guardian_removed', { name }) } }
    },
  }),
]
