import { hasPermission } from '#platform/auth/actor.ts'
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
import { Problem } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import {
  type Closing,
  deactivatePerson,
  deletePerson,
  reactivatePerson,
  revokePerson,
  sendPasswordMail,
} from '../commands/closing.ts'
import { type Granted, grantQualification, withdrawQualification } from '../commands/grants.ts'
import { type AccountDuties, changePerson } from '../commands/people.ts'
import { findGroupChoices, findQualificationChoices } from '../queries/people.ts'
import {
  type Ahead,
  findHeld,
  getAhead,
  getManagedPerson,
  getToday,
  leaveFor,
  type Person,
  shareGroups,
} from '../queries/person.ts'
import { grantForm, nothing, personForm, withdrawForm } from '../schema.ts'
import { PEOPLE, personPath } from '../views/people.ts'
import { personView } from '../views/person.ts'
import type { PersonFields } from '../views/person-form.ts'
import { peopleCrumbs, personErrors, typedPerson } from './people.ts'

async function requirePerson({ context, path }: PageRequest): Promise<Person> {
  const person = /^\d{1,15}$/.test(path.id!) ? await getManagedPerson(context, Number(path.id)) : undefined
  if (!person) throw new Problem('not_found')
  return person
}

const storedFields = (person: Person): PersonFields => ({
  name: person.name,
  email: person.email,
  dateOfBirth: person.dateOfBirth ?? '',
  phone: person.phone ?? '',
  language: person.language,
  groups: person.groupIds,
  isStaff: person.isStaff,
  isVisible: person.isVisible,
})

async function showPerson(request: PageRequest, refused?: Refused): Promise<PageBody> {
  const { context, csrfToken } = request
  const { words, now, db, actor } = context
  const person = await requirePerson(request)
  const [groups, held, qualifications] = await Promise.all([
    findGroupChoices(db),
    findHeld(db, person.userId),
    findQualificationChoices(db),
  ])
  const leave = leaveFor(context, person)
  const { open, locked } = shareGroups(leave.editor, groups, person.groupIds)
  const form = hasPermission(actor, 'change_user')
    ? {
        words,
        csrfToken,
        action: personPath(person.userId),
        cancel: PEOPLE,
        submit: words.t('people.save'),
        fields: refused ? typedPerson(refused.values) : storedFields(person),
        errors: refused?.errors ?? [],
        groups: open,
        lockedGroups: locked,
        isEmailLocked: !leave.email,
        showsStaff: leave.staff,
        showsVisible: leave.editor.isStaff,
      }
    : undefined
  const main = personView({
    words,
    now,
    today: getToday(context),
    csrfToken,
    person,
    held,
    qualifications,
    form,
    groups: groups.filter(({ id }) => person.groupIds.includes(id)).map(({ name }) => name),
    closeRefusal: leave.closeRefusal,
    mayDelete: hasPermission(actor, 'delete_user'),
  })
  return { title: person.name, breadcrumb: peopleCrumbs(words), main }
}

const editPage = formPage({
  path: `${PEOPLE}{id}/`,
  access: permission('view_user'),
  form: personForm,
  show: showPerson,
  submit: async (request, form) => {
    const { context, commandContext } = request
    const { words, actor } = context
    const { userId } = await requirePerson(request)
    const outcome = await changePerson(commandContext, userId, form)
    if (!outcome) throw new Problem('not_found')
    if (!outcome.ok) return { refused: personErrors(outcome.reasons, words) }
    const isOwn = actor.kind === 'user' && actor.userId === userId
    const text = !outcome.isChanged
      ? words.t('people.unchanged')
      : isOwn
        ? words.t('people.saved_own')
        : words.t('people.saved', { name: form.name })
    return { redirect: personPath(userId), flash: { kind: outcome.isChanged ? 'good' : 'info', text } }
  },
})

/** Back to the person, with what became of it. */
const told = (userId: number, text: string, kind: 'good' | 'bad' = 'good'): Redirect => ({
  redirect: personPath(userId),
  flash: { kind, text },
})

const refusedText = (words: Words, { reason }: Extract<Closing, { ok: false }>): string => words.t(`people.refused_${reason}`)

const grantPages = (duties: AccountDuties): Page[] => {
  const answer = (words: Words, userId: number, outcome: Granted, done: 'granted' | 'withdrawn') =>
    outcome.ok
      ? told(userId, words.t(`people.${done}`, { title: outcome.title }))
      : told(userId, words.t(`people.grant_${outcome.reason}`), 'bad')
  return [
    actionPage({
      path: `${PEOPLE}{id}/grant/`,
      access: permission('change_user'),
      form: grantForm,
      submit: async (request, { qualification, until }) => {
        const { userId } = await requirePerson(request)
        const outcome = await grantQualification(
          request.commandContext,
          { userId, qualificationId: qualification, until },
          duties,
        )
        return answer(request.context.words, userId, outcome, 'granted')
      },
    }),
    actionPage({
      path: `${PEOPLE}{id}/withdraw/`,
      access: permission('change_user'),
      form: withdrawForm,
      submit: async (request, { qualification }) => {
        const { userId } = await requirePerson(request)
        const outcome = await withdrawQualification(request.commandContext, { userId, qualificationId: qualification }, duties)
        return answer(request.context.words, userId, outcome, 'withdrawn')
      },
    }),
  ]
}

const mailPage = (duties: AccountDuties): Page =>
  actionPage({
    path: `${PEOPLE}{id}/send-link/`,
    access: permission('change_user'),
    form: nothing,
    submit: async (request) => {
      const { userId } = await requirePerson(request)
      const { words } = request.context
      const outcome = await sendPasswordMail(request.commandContext, userId, duties)
      return outcome.ok
        ? told(userId, words.t('people.reset_sent', { name: outcome.name }))
        : told(userId, refusedText(words, outcome), 'bad')
    },
  })

const reactivatePage = actionPage({
  path: `${PEOPLE}{id}/reactivate/`,
  access: permission('change_user'),
  form: nothing,
  submit: async (request) => {
    const { userId } = await requirePerson(request)
    const { words } = request.context
    const outcome = await reactivatePerson(request.commandContext, userId)
    return outcome.ok
      ? told(userId, words.t('people.reactivated', { name: outcome.name }))
      : told(userId, refusedText(words, outcome), 'bad')
  },
})

type Asking = {
  what: 'deactivate' | 'revoke' | 'delete'
  allowed: 'change_user' | 'delete_user'
  consequences: (words: Words, ahead: Ahead) => string[]
  danger: boolean
  perform: (request: PageRequest, userId: number) => Promise<Closing>
}
const DONE = { deactivate: 'people.deactivated', revoke: 'people.revoked', delete: 'people.deleted' } as const

/** What hits somebody hard is asked on a page of its own, which names what happens. */
const askingPage = ({ what, allowed, consequences, danger, perform }: Asking): Page =>
  formPage({
    path: `${PEOPLE}{id}/${what}/`,
    access: permission(allowed),
    form: nothing,
    show: async (request) => {
      const person = await requirePerson(request)
      const { words, db, now } = request.context
      const { closeRefusal } = leaveFor(request.context, person)
      if (closeRefusal) return told(person.userId, words.t(`people.refused_${closeRefusal}`), 'bad')
      const title = words.t(`people.${what}_title`, { name: person.name })
      const main = confirmView({
        words,
        title,
        csrfToken: request.csrfToken,
        danger,
        consequences: consequences(words, await getAhead(db, person.userId, now)),
        action: personPath(person.userId, what),
        submit: words.t(`people.${what}`),
        cancel: { href: personPath(person.userId) },
      })
      const crumbs = [...peopleCrumbs(words), { href: personPath(person.userId), label: person.name }]
      return { title, breadcrumb: crumbs, main }
    },
    submit: async (request) => {
      const { userId } = await requirePerson(request)
      const { words } = request.context
      const outcome = await perform(request, userId)
      if (!outcome.ok) return told(userId, refusedText(words, outcome), 'bad')
      const done = told(userId, words.t(DONE[what], { name: outcome.name }))
      return what === 'delete' ? { ...done, redirect: PEOPLE } : done
    },
  })

const aheadLines = (words: Words, { shifts, responsibleFor }: Ahead): string[] => [
  ...(shifts ? [words.t('people.ahead', { count: shifts })] : []),
  ...(responsibleFor ? [words.t('people.responsible_for', { count: responsibleFor })] : []),
]

export const personPages = (duties: AccountDuties): Page[] => [
  editPage,
  ...grantPages(duties),
  mailPage(duties),
  reactivatePage,
  askingPage({
    what: 'deactivate',
    allowed: 'change_user',
    danger: false,
    consequences: (words, ahead) => [
      words.t('people.deactivate_first'),
      words.t('people.deactivate_second'),
      ...aheadLines(words, ahead),
      words.t('people.deactivate_third'),
    ],
    perform: ({ commandContext }, userId) => deactivatePerson(commandContext, userId, { duties }),
  }),
  askingPage({
    what: 'revoke',
    allowed: 'change_user',
    danger: true,
    consequences: (words) => [words.t('people.revoke_first'), words.t('people.revoke_second'), words.t('people.revoke_third')],
    perform: ({ commandContext }, userId) => revokePerson(commandContext, userId, duties),
  }),
  askingPage({
    what: 'delete',
    allowed: 'delete_user',
    danger: true,
    consequences: (words, ahead) => [
      words.t('people.delete_first'),
      words.t('people.delete_second'),
      ...(ahead.past ? [words.t('people.delete_past', { count: ahead.past })] : []),
      ...aheadLines(words, ahead),
      words.t('people.delete_final'),
    ],
    perform: ({ commandContext }, userId) => deletePerson(commandContext, userId, { duties }),
  }),
]
