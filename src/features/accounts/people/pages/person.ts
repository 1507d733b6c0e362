import { requireEditor } from '#features/accounts/users/access.ts'
import {
  type AccountChange,
  deactivatePerson,
  deletePerson,
  reactivatePerson,
  revokePerson,
  sendPasswordLink,
} from '#features/accounts/users/commands/account-state.ts'
import { tryAddressAgain } from '#features/accounts/users/commands/address-state.ts'
import { changePerson } from '#features/accounts/users/commands/people.ts'
import { accountHooks } from '#features/accounts/users/points.ts'
import { findGroupChoices, findQualificationChoices } from '#features/accounts/users/queries/people.ts'
import {
  type AccountUses,
  findHeldQualifications,
  getAccountUses,
  type Person,
  requireVisiblePerson,
} from '#features/accounts/users/queries/person.ts'
import { type AccountPlace, dayOf, getEditorRights, personState, splitGroups } from '#features/accounts/users/rules.ts'
import { grantForm, personForm, withdrawForm } from '#features/accounts/users/schema.ts'
import { hasPermission, hasRecentProof } from '#platform/auth/actor.ts'
import { html } from '#platform/html/html.ts'
import { permission } from '#platform/http/access.ts'
import {
  actionPage,
  formPage,
  type Page,
  type PageBody,
  type PageRequest,
  type Redirect,
  type Refused,
} from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import { offeredLanguages } from '#platform/i18n/offered.ts'
import type { Words } from '#platform/i18n/words.ts'
import { shownAddress } from '#platform/no-address.ts'
import { formatPhone } from '#platform/phone.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { type GrantOutcome, grantQualification, withdrawQualification } from '../commands/grants.ts'
import { personPage } from '../points.ts'
import { PEOPLE, personPath } from '../views/people.ts'
import { personView } from '../views/person.ts'
import { mentionsView, partnerPlacesView, placesView } from '../views/places.ts'
import { peopleCrumbs, personErrors } from './people.ts'

const storedState = (person: Person): FormState =>
  personForm.state({
    name: person.name,
    email: shownAddress(person.email) ?? '',
    username: person.username ?? '',
    contact_email: person.contactEmail ?? '',
    date_of_birth: person.dateOfBirth,
    phone: person.phone && formatPhone(person.phone),
    language: person.language,
    groups: person.groupIds,
    is_staff: person.isStaff,
    is_visible: person.isVisible,
  })

/** The form always contains the current state, so that saving again after a conflict overwrites it knowingly. */
const withSeen = (state: FormState, person: Person): FormState => ({
  ...state,
  values: { ...state.values, seen: personState(person) },
})

type Shown = { refused?: Refused | undefined; grantState?: FormState | undefined }

async function showPerson(request: PageRequest<{ id: number }>, { refused, grantState }: Shown): Promise<PageBody> {
  const { context, csrfToken } = request
  const { words, now, db, actor, site } = context
  const person = await requireVisiblePerson(request.context, request.path.id)
  const [groups, held, qualifications] = await Promise.all([
    findGroupChoices(db),
    findHeldQualifications(db, person.userId),
    findQualificationChoices(db),
  ])
  const editor = requireEditor(actor)
  const rights = getEditorRights(editor, person)
  const { open, locked } = splitGroups(editor, groups, person.groupIds)
  const form = hasPermission(actor, 'change_user')
    ? {
        words,
        csrfToken,
        action: personPath(person.userId),
        cancel: PEOPLE,
        submit: words.t('people.save'),
        state: withSeen(refused ?? storedState(person), person),
        groups: open,
        lockedGroups: locked,
        languages: offeredLanguages(site),
        isEmailLocked: !rights.mayChangeEmail,
        showsStaff: rights.mayChangeStaff,
        showsVisible: editor.isStaff,
      }
    : undefined
  const main = personView({
    words,
    now,
    today: dayOf(now, site.timeZone),
    csrfToken,
    person,
    held,
    qualifications,
    form,
    groups: groups.filter(({ id }) => person.groupIds.includes(id)).map(({ name }) => name),
    closeRefusal: rights.closeRefusal,
    mayDelete: hasPermission(actor, 'delete_user'),
    grantState,
    sections: form ? await Promise.all(site.added(personPage.section).map((section) => section(context, person))) : [],
    picture: await site.added(personPage.picture)[0]?.(context, person.userId),
    actions: site.added(personPage.action).flatMap((action) => action(context, person) ?? []),
    isMailOff: site.isMailOff ?? false,
  })
  return { title: person.name, breadcrumb: peopleCrumbs(words), main }
}

const editPage = formPage({
  path: `${PEOPLE}{id}/`,
  requires: 'recentSignInForSome',
  access: permission('view_user'),
  form: personForm.schema,
  show: (request, refused) => showPerson(request, { refused }),
  submit: async (request, form) => {
    const { context, commandContext } = request
    const { words, actor } = context
    const { userId, isStaff } = await requireVisiblePerson(request.context, request.path.id)
    // Whether somebody is an administrator.
    if (form.is_staff !== isStaff && !hasRecentProof(actor, context.now)) return { needsRecentSignIn: true }
    const outcome = requireFound(await changePerson(commandContext, userId, form))
    if (!outcome.ok) {
      const isLate = outcome.reasons.includes('changed_meanwhile')
      return { refused: personErrors(outcome.reasons, words), ...(isLate ? { status: 409 } : {}) }
    }
    const isOwn = actor.userId === userId
    if (!outcome.isChanged) return { redirect: personPath(userId), flash: { kind: 'info', text: words.t('people.unchanged') } }
    const text = isOwn ? words.t('people.saved_own') : words.t('people.saved', { name: form.name })
    return redirectToPerson(userId, text)
  },
})

const redirectToPerson = (userId: number, text: string, kind: 'good' | 'bad' = 'good'): Redirect => ({
  redirect: personPath(userId),
  flash: { kind, text },
})

const refusedText = (words: Words, { reason }: Extract<AccountChange, { ok: false }>): string =>
  words.t(`people.refused_${reason}`)

const grantPages = (): Page[] => {
  const refusal = (words: Words, { reason }: Extract<GrantOutcome, { ok: false }>) => words.t(`people.grant_${reason}`)
  return [
    formPage({
      path: `${PEOPLE}{id}/grant/`,
      access: permission('change_user'),
      form: grantForm.schema,
      show: (request, refused) => showPerson(request, { grantState: refused }),
      submit: async (request, { qualification, until }) => {
        const { userId } = await requireVisiblePerson(request.context, request.path.id)
        const wanted = { userId, qualificationId: qualification, until, usual: true }
        const outcome = await grantQualification(request.commandContext, wanted)
        const { words } = request.context
        if (!outcome.ok) return { refused: [{ field: 'qualification', text: refusal(words, outcome) }] }
        const { title, expiresAt } = outcome
        const text = expiresAt
          ? words.t('people.granted_until', { title, day: words.date(expiresAt) })
          : words.t('people.granted', { title })
        return redirectToPerson(userId, text)
      },
    }),
    actionPage({
      path: `${PEOPLE}{id}/withdraw/`,
      access: permission('change_user'),
      form: withdrawForm,
      submit: async (request, { qualification }) => {
        const { userId } = await requireVisiblePerson(request.context, request.path.id)
        const outcome = await withdrawQualification(request.commandContext, { userId, qualificationId: qualification })
        const { words } = request.context
        if (!outcome.ok) return redirectToPerson(userId, refusal(words, outcome), 'bad')
        return redirectToPerson(userId, words.t('people.withdrawn', { title: outcome.title }))
      },
    }),
  ]
}

const mailPage = actionPage({
  path: `${PEOPLE}{id}/send-link/`,
  access: permission('change_user'),
  form: emptyForm,
  submit: async (request) => {
    const { userId } = await requireVisiblePerson(request.context, request.path.id)
    const { words, site } = request.context
    if (site.isMailOff) return { redirect: personPath(userId, 'invitation') }
    const outcome = await sendPasswordLink(request.commandContext, userId)
    return outcome.ok
      ? redirectToPerson(userId, words.t('people.reset_sent', { name: outcome.name }))
      : redirectToPerson(userId, refusedText(words, outcome), 'bad')
  },
})

const tryAddressPage = actionPage({
  path: `${PEOPLE}{id}/try-address/`,
  access: permission('change_user'),
  form: emptyForm,
  submit: async (request) => {
    const { userId, name } = await requireVisiblePerson(request.context, request.path.id)
    const { words } = request.context
    const isDone = await tryAddressAgain(request.commandContext, userId)
    return redirectToPerson(userId, words.t(isDone ? 'people.address_tried' : 'people.address_works', { name }))
  },
})

const reactivatePage = actionPage({
  path: `${PEOPLE}{id}/reactivate/`,
  access: permission('change_user'),
  form: emptyForm,
  submit: async (request) => {
    const { userId } = await requireVisiblePerson(request.context, request.path.id)
    const { words } = request.context
    const outcome = await reactivatePerson(request.commandContext, userId)
    return outcome.ok
      ? redirectToPerson(userId, words.t('people.reactivated', { name: outcome.name }))
      : redirectToPerson(userId, refusedText(words, outcome), 'bad')
  },
})

type Uses = AccountUses & { places: readonly AccountPlace[] }

type Confirmation = {
  what: 'deactivate' | 'revoke' | 'delete'
  allowed: 'change_user' | 'delete_user'
  requires?: 'recentSignIn'
  consequences: (words: Words, uses: Uses) => string[]
  /** Lists the places that become free. */
  freesPlaces: boolean
  danger: boolean
  perform: (request: PageRequest, userId: number) => Promise<AccountChange>
}
const DONE = { deactivate: 'people.deactivated', revoke: 'people.revoked', delete: 'people.deleted' } as const

/** A page that lists the consequences and asks for confirmation. */
const confirmPage = ({ what, allowed, requires, consequences, freesPlaces, danger, perform }: Confirmation): Page =>
  formPage({
    path: `${PEOPLE}{id}/${what}/`,
    ...(requires ? { requires } : {}),
    access: permission(allowed),
    form: emptyForm,
    show: async (request) => {
      const person = await requireVisiblePerson(request.context, request.path.id)
      const { words, db, now, actor } = request.context
      const { closeRefusal } = getEditorRights(requireEditor(actor), person)
      if (closeRefusal) return redirectToPerson(person.userId, words.t(`people.refused_${closeRefusal}`), 'bad')
      const places = freesPlaces ? await accountHooks.of(request.context.site).findPlaces(request.context, person.userId) : []
      const atPartners = freesPlaces
        ? await accountHooks.of(request.context.site).findPlacesAtPartners(request.context, person.userId)
        : []
      const mentions =
        what === 'delete' ? await accountHooks.of(request.context.site).findMentions(request.context, person.userId) : []
      const title = words.t(`people.${what}_title`, { name: person.name })
      const main = confirmView({
        words,
        title,
        csrfToken: request.csrfToken,
        danger,
        consequences: consequences(words, { ...(await getAccountUses(db, person.userId, now)), places }),
        details:
          places.length + atPartners.length + mentions.length > 0
            ? html`${places.length > 0 && placesView(words, places, now)}${atPartners.length > 0 && partnerPlacesView(words, atPartners, now)}${mentions.length > 0 && mentionsView(words, mentions)}`
            : undefined,
        action: personPath(person.userId, what),
        submit: words.t(`people.${what}`),
        cancel: { href: personPath(person.userId) },
      })
      const crumbs = [...peopleCrumbs(words), { href: personPath(person.userId), label: person.name }]
      return { title, breadcrumb: crumbs, main }
    },
    submit: async (request) => {
      const { userId } = await requireVisiblePerson(request.context, request.path.id)
      const { words } = request.context
      const outcome = await perform(request, userId)
      if (!outcome.ok) return redirectToPerson(userId, refusedText(words, outcome), 'bad')
      const done = redirectToPerson(userId, words.t(DONE[what], { name: outcome.name }))
      return what === 'delete' ? { ...done, redirect: PEOPLE } : done
    },
  })

const usesLines = (words: Words, { responsibleFor, places }: Uses): string[] => [
  places.length ? words.t('people.places_freed', { count: places.length }) : words.t('people.places_none'),
  ...(responsibleFor ? [words.t('people.responsible_for', { count: responsibleFor })] : []),
]

export const personPages: Page[] = [
  editPage,
  ...grantPages(),
  mailPage,
  tryAddressPage,
  reactivatePage,
  confirmPage({
    what: 'deactivate',
    allowed: 'change_user',
    freesPlaces: true,
    danger: false,
    consequences: (words, uses) => [
      words.t('people.deactivate_first'),
      words.t('people.deactivate_second'),
      ...usesLines(words, uses),
      words.t('people.deactivate_third'),
    ],
    perform: ({ commandContext }, userId) => deactivatePerson(commandContext, userId),
  }),
  confirmPage({
    what: 'revoke',
    requires: 'recentSignIn',
    allowed: 'change_user',
    freesPlaces: false,
    danger: true,
    consequences: (words) => [words.t('people.revoke_first'), words.t('people.revoke_second'), words.t('people.revoke_third')],
    perform: ({ commandContext }, userId) => revokePerson(commandContext, userId),
  }),
  confirmPage({
    what: 'delete',
    requires: 'recentSignIn',
    allowed: 'delete_user',
    freesPlaces: true,
    danger: true,
    consequences: (words, uses) => [
      words.t('people.delete_first'),
      words.t('people.delete_second'),
      words.t('people.delete_third'),
      ...(uses.past ? [words.t('people.delete_past', { count: uses.past })] : []),
      ...usesLines(words, uses),
      words.t('people.delete_backups'),
      words.t('people.delete_final'),
    ],
    perform: ({ commandContext }, userId) => deletePerson(commandContext, userId),
  }),
]
