import { createHash } from 'node:crypto'
import type { Database } from '#platform/db/pool.ts'
import type { ModuleName } from '#platform/features/modules.ts'
import { NOW, type PASSWORDS } from '#test/support/demo-instance.ts'
import { type Element, findElement, parseHtml } from '#test/support/html-tree.ts'

/** A picture of the handbook: the upper part of a page of the sample data, without the bars around it. */
export type PictureSource = {
  name: string
  who: keyof typeof PASSWORDS
  /** With names of `findIds` in braces. */
  page: string
  /** Of the window. */
  width: 360 | 480 | 1280
  height: number
}

const onPhone = (name: string, who: PictureSource['who'], page: string, height: number): PictureSource => ({
  name,
  who,
  page,
  width: 360,
  height,
})
const onDesk = (name: string, who: PictureSource['who'], page: string, height: number): PictureSource => ({
  name,
  who,
  page,
  width: 1280,
  height,
})

const IN_CHAPTERS: readonly PictureSource[] = [
  onPhone('home', 'ann', '/', 560),
  onPhone('find-shifts', 'ann', '/shifts/', 520),
  onPhone('my-shifts', 'ann', '/my-shifts/', 560),
  onPhone('check-in', 'paul', '/events/{checkIn}/check-in/', 560),
  onDesk('new-event', 'paul', '/events/new/?type={type}', 640),
  onDesk('event', 'paul', '/events/{festival}/', 520),
  onDesk('board', 'paul', '/shifts/{busy}/disposition/', 600),
  onDesk('planning', 'paul', '/planning/', 560),
  onDesk('ask', 'paul', '/shifts/{short}/ask/', 640),
  onDesk('shift-table', 'paul', '/events/{festival}/shifts/', 480),
  onDesk('duplicate', 'paul', '/events/{festival}/duplicate/', 560),
  onDesk('kind-of-organisation', 'olga', '/manage/modules/start/', 520),
  onDesk('group', 'olga', '/manage/groups/new/', 560),
  onDesk('import', 'olga', '/manage/people/import/', 520),
  onDesk('join-link', 'olga', '/manage/groups/{group}/join-links/', 480),
  onDesk('qualification', 'olga', '/manage/qualifications/new/', 520),
]

/** A page that shows what the module is for. */
const OF_MODULES: Record<ModuleName, [who: PictureSource['who'], page: string]> = {
  assistants: ['paul', '/settings/assistants/'],
  auto_fill: ['paul', '/planning/fill/'],
  availability: ['ann', '/settings/availability/'],
  check_in: ['paul', '/events/{checkIn}/check-in/'],
  companions: ['ann', '/shifts/{brought}/companions/'],
  content_pages: ['olga', '/manage/pages/'],
  exchanges: ['ann', '/shifts/{own}/stand-in/'],
  families: ['olga', '/manage/people/{child}/guardians/'],
  federation: ['olga', '/manage/federation/'],
  files: ['olga', '/manage/files/'],
  guests: ['paul', '/events/{guests}/guests/'],
  hours: ['olga', '/manage/hours/'],
  identity_providers: ['olga', '/manage/identity-providers/new/'],
  inquiries: ['paul', '/shifts/{short}/ask/'],
  integrations: ['olga', '/settings/webhooks/new/'],
  programmes: ['paul', '/events/{programme}/programme/'],
  qualification_requests: ['ann', '/settings/qualifications/'],
  questionnaires: ['olga', '/manage/questions/'],
  reports: ['paul', '/planning/reports/'],
  resources: ['olga', '/manage/resources/week/'],
  timeline: ['paul', '/events/{festival}/grid/'],
  translations: ['paul', '/events/{festival}/languages/'],
  waiting_list: ['paul', '/shifts/{waited}/line/'],
  working_time_limits: ['olga', '/manage/limits/all/'],
}

export const PICTURES: readonly PictureSource[] = [
  ...IN_CHAPTERS,
  ...Object.entries(OF_MODULES).map(
    ([name, [who, page]]): PictureSource => ({ name: `module-${name}`, who, page, width: 480, height: 300 }),
  ),
]

/** Records of the sample data that show much. Both languages have the same. */
export async function findIds({ read }: Database): Promise<Record<string, number>> {
  const shifts = read
    .selectFrom('shift')
    .innerJoin('event', 'event.id', 'shift.event_id')
    .where('event.active', '=', true)
    .where('event.cancelled_at', 'is', null)
    .where('shift.start_time', '>', NOW)
  const joined = shifts.innerJoin('participation as p', 'p.shift_id', 'shift.id').select('shift.id').groupBy('shift.id')
  const first = async (query: { executeTakeFirstOrThrow: () => Promise<{ id: number | null }> }) =>
    (await query.executeTakeFirstOrThrow()).id!
  const busy = await first(
    joined
      .where('p.state', '=', 0)
      .orderBy((eb) => eb.fn.countAll(), 'desc')
      .orderBy('shift.id'),
  )
  const ann = await first(read.selectFrom('user_profile').select('id').where('email', '=', 'ann@demo.example'))
  const festival = await first(shifts.select('event.id').where('event.title', 'like', 'Open Air%').orderBy('event.id'))
  return {
    ann,
    busy,
    festival,
    short: await first(shifts.select('shift.id').where('event.id', '=', festival).orderBy('shift.id', 'desc')),
    own: await first(joined.where('p.user_id', '=', ann).where('p.state', '=', 1).orderBy('shift.id')),
    brought: await first(
      read.selectFrom('participation').select('shift_id as id').where('brought_by_id', 'is not', null).orderBy('id'),
    ),
    waited: await first(shifts.innerJoin('waiting_entry as w', 'w.shift_id', 'shift.id').select('shift.id').orderBy('shift.id')),
    child: await first(read.selectFrom('guardianship').select('child_id as id').orderBy('child_id')),
    checkIn: await first(read.selectFrom('event_check_in').select('event_id as id').orderBy('event_id', 'desc')),
    programme: await first(read.selectFrom('programme').select('event_id as id').orderBy('event_id')),
    guests: await first(read.selectFrom('guest_share').select('event_id as id').orderBy('event_id')),
    type: await first(read.selectFrom('event').select('type_id as id').where('id', '=', festival)),
    template: await first(read.selectFrom('event_template').select('id').orderBy('id')),
    group: await first(
      read
        .selectFrom('user_group as g')
        .select('g.id')
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('group_permission as p').select('p.group_id').whereRef('p.group_id', '=', 'g.id'))),
        )
        .orderBy('g.id'),
    ),
  }
}

export const addressOf = ({ page }: Pick<PictureSource, 'page'>, ids: Record<string, number>): string =>
  page.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(ids[name]))

/** What is drawn inside of them is not text, or is not shown. */
const SILENT = new Set(['script', 'style', 'template', 'svg', 'select', 'textarea', 'datalist'])
const CONTROLS = new Set(['a', 'button', 'input', 'select', 'textarea', 'summary', 'img'])

function* visibleIn(element: Element): Generator<string> {
  const { tag, attributes, children } = element
  if (attributes.hidden !== undefined || attributes.type === 'hidden' || tag === 'template') return
  if (CONTROLS.has(tag)) yield `<${tag} ${attributes.type ?? ''} ${attributes['aria-label'] ?? attributes.alt ?? ''}>`
  if (SILENT.has(tag)) return
  const isClosed = tag === 'details' && attributes.open === undefined
  for (const child of children)
    if (typeof child === 'string') yield child
    else if (!isClosed || child.tag === 'summary') yield* visibleIn(child)
}

/** Of the visible text and the controls of a page. Numbers are left out: they follow from the data, and some from the day of the test. */
export function fingerprintOf(page: string): string {
  const main = findElement(parseHtml(page), 'main')
  if (!main) throw new Error('a page without main')
  const text = [...visibleIn(main)].join(' ').replaceAll(/\d+/g, '0').replaceAll(/\s+/g, ' ')
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}
