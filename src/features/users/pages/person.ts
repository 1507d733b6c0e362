import { may } from '#platform/auth/actor.ts'
import { permission } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageBody, type Redirect, type Refused, type Visit } from '#platform/http/page.ts'
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

async function requirePerson({ ask, path }: Visit): Promise<Person> {
  const person = /^\d{1,15}$/.test(path.id!) ? await getManagedPerson(ask, Number(path.id)) : undefined
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

async function showPerson(visit: Visit, refused?: Refused): Promise<PageBody> {
  const { ask, csrfToken } = visit
  const { words, now, db, actor } = ask
  const person = await requirePerson(visit)
  const [groups, held, qualifications] = await Promise.all([
    findGroupChoices(db),
    findHeld(db, person.userId),
    findQualificationChoices(db),
  ])
  const leave = leaveFor(ask, person)
  const { open, locked } = shareGroups(leave.editor, groups, person.groupIds)
  const form = may(actor, 'change_user')
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
    today: getToday(ask),
    csrfToken,
    person,
    held,
    qualifications,
    form,
    groups: groups.filter(({ id }) => person.groupIds.includes(id)).map(({ name }) => name),
    closeRefusal: leave.closeRefusal,
    mayDelete: may(actor, 'delete_user'),
  })
  return { title: person.name, breadcrumb: peopleCrumbs(words), main }
}

const editPage = formPage({
  path: `${PEOPLE}{id}/`,
  access: permission('view_user'),
  form: personForm,
  show: showPerson,
  submit: async (visit, form) => {
    const { ask, doing } = visit
    const { words, actor } = ask
    const { userId } = await requirePerson(visit)
    const outcome = await changePerson(doing, userId, form)
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
      submit: async (visit, { qualification, until }) => {
        const { userId } = await requirePerson(visit)
        const outcome = await grantQualification(visit.doing, { userId, qualificationId: qualification, until }, duties)
        return answer(visit.ask.words, userId, outcome, 'granted')
      },
    }),
    actionPage({
      path: `${PEOPLE}{id}/withdraw/`,
      access: permission('change_user'),
      form: withdrawForm,
      submit: async (visit, { qualification }) => {
        const { userId } = await requirePerson(visit)
        const outcome = await withdrawQualification(visit.doing, { userId, qualificationId: qualification }, duties)
        return answer(visit.ask.words, userId, outcome, 'withdrawn')
      },
    }),
  ]
}

const mailPage = (duties: AccountDuties): Page =>
  actionPage({
    path: `${PEOPLE}{id}/send-link/`,
    access: permission('change_user'),
    form: nothing,
    submit: async (visit) => {
      const { userId } = await requirePerson(visit)
      const { words } = visit.ask
      const outcome = await sendPasswordMail(visit.doing, userId, duties)
      return outcome.ok
        ? told(userId, words.t('people.reset_sent', { name: outcome.name }))
        : told(userId, refusedText(words, outcome), 'bad')
    },
  })

const reactivatePage = actionPage({
  path: `${PEOPLE}{id}/reactivate/`,
  access: permission('change_user'),
  form: nothing,
  submit: async (visit) => {
    const { userId } = await requirePerson(visit)
    const { words } = visit.ask
    const outcome = await reactivatePerson(visit.doing, userId)
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
  perform: (visit: Visit, userId: number) => Promise<Closing>
}
const DONE = { deactivate: 'people.deactivated', revoke: 'people.revoked', delete: 'people.deleted' } as const

/** What hits somebody hard is asked on a page of its own, which names what happens. */
const askingPage = ({ what, allowed, consequences, danger, perform }: Asking): Page =>
  formPage({
    path: `${PEOPLE}{id}/${what}/`,
    access: permission(allowed),
    form: nothing,
    show: async (visit) => {
      const person = await requirePerson(visit)
      const { words, db, now } = visit.ask
      const { closeRefusal } = leaveFor(visit.ask, person)
      if (closeRefusal) return told(person.userId, words.t(`people.refused_${closeRefusal}`), 'bad')
      const title = words.t(`people.${what}_title`, { name: person.name })
      const main = confirmView({
        words,
        title,
        csrfToken: visit.csrfToken,
        danger,
        consequences: consequences(words, await getAhead(db, person.userId, now)),
        action: personPath(person.userId, what),
        submit: words.t(`people.${what}`),
        cancel: { href: personPath(person.userId) },
      })
      const crumbs = [...peopleCrumbs(words), { href: personPath(person.userId), label: person.name }]
      return { title, breadcrumb: crumbs, main }
    },
    submit: async (visit) => {
      const { userId } = await requirePerson(visit)
      const { words } = visit.ask
      const outcome = await perform(visit, userId)
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
    perform: ({ doing }, userId) => deactivatePerson(doing, userId, { duties }),
  }),
  askingPage({
    what: 'revoke',
    allowed: 'change_user',
    danger: true,
    consequences: (words) => [words.t('people.revoke_first'), words.t('people.revoke_second'), words.t('people.revoke_third')],
    perform: ({ doing }, userId) => revokePerson(doing, userId, duties),
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
    perform: ({ doing }, userId) => deletePerson(doing, userId, { duties }),
  }),
]
