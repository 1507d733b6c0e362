import type { PersonAction } from '#features/accounts/people/points.ts'
import { requireStaff } from '#features/accounts/users/access.ts'
import { type Person, requireVisiblePerson } from '#features/accounts/users/queries/person.ts'
import { isStaff } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { PersonalTable } from '#platform/db/personal-table.ts'
import { staff } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type PageRequest, type Redirect, type Refused } from '#platform/http/page.ts'
import { EMPTY_STATE } from '#platform/ui/form-values.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { checkMerge, mergeAccounts } from '../commands/merge.ts'
import { findCandidates } from '../queries/explanation.ts'
import { countMergedRows, findSharedShifts, type MergedTable } from '../queries/merge.ts'
import { mergeFields } from '../rules/merging.ts'
import { mergeForm } from '../schema.ts'
import { type FieldRow, mergePath, mergePreviewView, mergeSearchView } from '../views/merge.ts'

type MergeOptions = { tables: readonly PersonalTable[] }
type Request = PageRequest<{ id: number }>

const idOf = (text: string | null): number | undefined => (text && /^\d{1,15}$/.test(text) ? Number(text) : undefined)
const namedOf = ({ userId, name, email }: Person) => ({ id: userId, name, email })

/** On the page of a person, for administrators. */
export const mergeAction = ({ words, actor }: RequestContext, { userId }: { userId: number }): PersonAction | undefined =>
  isStaff(actor)
    ? { href: mergePath(userId), label: words.t('privacy.merge'), help: words.t('privacy.merge_help'), icon: 'users' }
    : undefined

export const mergePage = ({ tables }: MergeOptions): Page =>
  formPage({
    path: '/manage/people/{id}/merge/',
    requires: 'recentSignInToSubmit',
    access: staff,
    form: mergeForm.schema,
    show: async (request: Request, refused) => {
      const { context, path, query } = request
      const remaining = await requireVisiblePerson(context, path.id)
      const otherId = idOf(query.get('other'))
      return otherId === undefined
        ? showSearch(request, remaining)
        : showPreview(request, { remaining, otherId, tables }, refused)
    },
    submit: async ({ context, commandContext, path, query }: Request, { confirm }) => {
      const { words } = context
      const other = await requireVisiblePerson(context, idOf(query.get('other')) ?? 0)
      if (confirm.toLowerCase() !== other.email.toLowerCase())
        return { refused: [{ field: 'confirm', text: words.t('privacy.merge_confirm_wrong', { email: other.email }) }] }
      const outcome = await mergeAccounts(commandContext, { remainingId: path.id, otherId: other.userId }, { tables })
      const redirect = `/manage/people/${path.id}/`
      return outcome.ok
        ? { redirect, flash: { kind: 'good', text: words.t('privacy.merged', { name: outcome.name }) } }
        : { redirect, flash: { kind: 'bad', text: words.t(`privacy.merge_refused_${outcome.reason}`) } }
    },
  })

const crumbsOf = (context: RequestContext, { userId, name }: Person) =>
  manageCrumbs(
    context.words,
    { href: '/manage/people/', label: context.words.t('manage.people') },
    { href: `/manage/people/${userId}/`, label: name },
  )

async function showSearch({ context, query }: Request, remaining: Person): Promise<PageBody> {
  const { db, words } = context
  const text = (query.get('q') ?? '').replaceAll('\0', '').trim().slice(0, 200)
  const found = (await findCandidates(db, text)).filter(({ id }) => id !== remaining.userId)
  const main = mergeSearchView({ words, person: namedOf(remaining), query: text, found })
  return { title: words.t('privacy.merge_title', { name: remaining.name }), breadcrumb: crumbsOf(context, remaining), main }
}

type Chosen = { remaining: Person; otherId: number; tables: readonly PersonalTable[] }

async function showPreview(
  { context, csrfToken }: Request,
  { remaining, otherId, tables }: Chosen,
  refused: Refused | undefined,
): Promise<PageBody | Redirect> {
  const { db, words, now, actor } = context
  const refuse = (reason: Parameters<typeof refusalText>[1]): Redirect => ({
    redirect: mergePath(remaining.userId),
    flash: { kind: 'bad', text: refusalText(context, reason) },
  })
  if (otherId === remaining.userId) return refuse('same')
  const other = await requireVisiblePerson(context, otherId)
  const refusal = await checkMerge(db, requireStaff(actor), { remaining, other })
  if (refusal) return refuse(refusal)
  const pair = { remainingId: remaining.userId, otherId }
  const [shifts, counted] = await Promise.all([findSharedShifts(db, pair), countMergedRows(db, tables, pair)])
  const main = mergePreviewView({
    words,
    now,
    csrfToken,
    state: refused ?? EMPTY_STATE,
    remaining: namedOf(remaining),
    other: namedOf(other),
    fields: fieldRows(context, remaining, other),
    shifts,
    tables: counted.map(tableRow),
  })
  const title = words.t('privacy.merge_preview', { other: other.name, name: remaining.name })
  return { title, breadcrumb: crumbsOf(context, remaining), main }
}

const refusalText = ({ words }: RequestContext, reason: 'same' | NonNullable<Awaited<ReturnType<typeof checkMerge>>>): string =>
  words.t(`privacy.merge_refused_${reason}`)

function fieldRows({ words }: RequestContext, remaining: Person, other: Person): FieldRow[] {
  const result = mergeFields(remaining, other)
  const day = (date: string | null) => date && words.date(new Date(`${date}T12:00:00Z`))
  const people = [remaining, other, result]
  const row = (field: FieldRow['field'], [a, b, c]: (string | null)[]): FieldRow => ({
    field,
    remaining: a ?? null,
    other: b ?? null,
    result: c ?? null,
  })
  return [
    row(
      'name',
      people.map(({ name }) => name),
    ),
    row(
      'email',
      people.map(({ email }) => email),
    ),
    row(
      'phone',
      people.map(({ phone }) => phone),
    ),
    row(
      'birth_date',
      people.map(({ dateOfBirth }) => day(dateOfBirth)),
    ),
  ]
}

function tableRow({ table, rows, duplicates }: MergedTable) {
  const rule = table.merge.do
  return {
    section: table.export.section ?? table.table,
    rows,
    duplicates,
    rule: rule === 'stay' ? ('move' as const) : rule,
  }
}
