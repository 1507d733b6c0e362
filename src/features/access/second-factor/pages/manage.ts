import { PEOPLE, personPath } from '#features/accounts/people/views/people.ts'
import { requireEditor } from '#features/accounts/users/access.ts'
import { findGroupChoices } from '#features/accounts/users/queries/people.ts'
import { type Person, requireVisiblePerson } from '#features/accounts/users/queries/person.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Child } from '#platform/html/html.ts'
import { permission, staff } from '#platform/http/access.ts'
import { formPage, type Page, type Redirect } from '#platform/http/page.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { changePolicy } from '../commands/policy.ts'
import { resetFactors } from '../commands/reset.ts'
import { countRequired, getFactors, getPolicy } from '../queries.ts'
import { DEFAULT_GRACE_DAYS, mayResetFactors } from '../rules.ts'
import { policyForm } from '../schema.ts'
import { personFactorView, policyView } from '../views/manage.ts'

const POLICY = '/manage/second-factor/'

const policyPage = formPage({
  path: POLICY,
  access: staff,
  requires: 'recentSignIn',
  form: policyForm.schema,
  show: async ({ context, csrfToken }, refused) => {
    const { words, db } = context
    const [policy, groups, counts] = await Promise.all([getPolicy(db), findGroupChoices(db), countRequired(db)])
    const state =
      refused ??
      policyForm.state({
        for_administrators: policy?.forAdministrators ?? false,
        groups: policy?.groupIds ?? [],
        grace_days: policy?.graceDays ?? DEFAULT_GRACE_DAYS,
        after_provider: policy?.afterProvider ?? false,
      })
    const main = policyView({ words, csrfToken, action: POLICY, state, groups, counts })
    return { title: words.t('factor.policy_title'), breadcrumb: manageCrumbs(words), main }
  },
  submit: async ({ context: { words }, commandContext }, form) => {
    const isChanged = await changePolicy(commandContext, {
      forAdministrators: form.for_administrators,
      groupIds: form.groups,
      graceDays: form.grace_days,
      afterProvider: form.after_provider,
    })
    const flash = isChanged
      ? { kind: 'good' as const, text: words.t('factor.policy_saved') }
      : { kind: 'info' as const, text: words.t('factor.policy_unchanged') }
    return { redirect: POLICY, flash }
  },
})

const redirectToPerson = (userId: number, text: string, kind: 'good' | 'bad'): Redirect => ({
  redirect: personPath(userId),
  flash: { kind, text },
})

const resetPage = formPage({
  path: `${PEOPLE}{id}/second-factor/`,
  access: permission('change_user'),
  requires: 'recentSignIn',
  form: emptyForm,
  show: async (request) => {
    const { context, csrfToken } = request
    const { words, db, now, actor } = context
    const person = await requireVisiblePerson(request.context, request.path.id)
    const { app, passkeys } = await getFactors(db, person.userId, now)
    if (!mayResetFactors(requireEditor(actor), person))
      return redirectToPerson(person.userId, words.t('factor.reset_not_allowed'), 'bad')
    if (!app && !passkeys.length) return redirectToPerson(person.userId, words.t('factor.reset_none'), 'bad')
    const title = words.t('factor.reset_title', { name: person.name })
    const main = confirmView({
      words,
      title,
      text: words.t('factor.reset_text'),
      consequences: [words.t('factor.reset_first'), words.t('factor.reset_second'), words.t('factor.reset_third')],
      action: personPath(person.userId, 'second-factor'),
      csrfToken,
      submit: words.t('factor.reset'),
      cancel: { href: personPath(person.userId) },
    })
    const crumbs = [...manageCrumbs(words), { href: personPath(person.userId), label: person.name }]
    return { title, breadcrumb: crumbs, main }
  },
  submit: async (request) => {
    const { words } = request.context
    const { userId } = await requireVisiblePerson(request.context, request.path.id)
    const outcome = await resetFactors(request.commandContext, userId)
    return outcome.ok
      ? redirectToPerson(userId, words.t('factor.reset_done', { name: outcome.name }), 'good')
      : redirectToPerson(userId, words.t(`factor.reset_${outcome.reason}`), 'bad')
  },
})

/** On the page of a person. */
export async function personFactorSection(context: RequestContext, person: Person): Promise<Child> {
  const { words, db, now, actor } = context
  const { app, passkeys, recoveryCodes } = await getFactors(db, person.userId, now)
  const href = personPath(person.userId, 'second-factor')
  const mayReset = mayResetFactors(requireEditor(actor), person)
  return personFactorView({
    words,
    hasApp: app !== undefined,
    passkeys: passkeys.length,
    recoveryCodes,
    ...(mayReset ? { href } : {}),
  })
}

export const manageFactorPages: Page[] = [policyPage, resetPage]
