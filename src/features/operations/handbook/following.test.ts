import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { SOURCE_LANGUAGES, type SourceLanguage } from '#platform/i18n/languages.ts'
import { freshSample, PASSWORDS } from '#test/support/demo-instance.ts'
import { openTestApp } from '#test/support/every-page.ts'
import { addressOf, findIds } from '#test/support/handbook/pictures.ts'
import { Reader } from '#test/support/handbook/reader.ts'
import { Browser } from '#test/support/http-browser.ts'
import { readChapter } from './queries/chapters.ts'
import { CHAPTERS, type ChapterName } from './rules/contents.ts'

type Step = { number: number; text: string; labels: string[]; links: string[] }
type Scene = { reader: Reader; db: Database; ids: Record<string, number>; labels: string[] }
type Doing = (scene: Scene) => void | Promise<void>

/** How one section with steps is followed. Everything that has a name comes from the chapter itself. */
type Following = {
  who: keyof typeof PASSWORDS
  /** Where the reader is, if the first step does not link to it. */
  start?: string
  /** What is entered into the fields that a step names, in their order. */
  entries?: Record<number, readonly string[]>
  /** What a step describes without a name in bold: before its names are used, or after them. */
  before?: Record<number, Doing>
  after?: Record<number, Doing>
  /** A number of the database that is larger afterwards. Absent: the steps only look, or what they do is undone elsewhere. */
  counts?: ReturnType<typeof sql<{ n: number }>>
}

const count = (table: string, condition = sql`true`) =>
  sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)} where ${condition}`
const confirm: Doing = ({ reader }) => reader.confirm()
const openPerson =
  (id: string): Doing =>
  ({ reader, ids }) =>
    reader.open(`/manage/people/${ids[id]}/`)
const open =
  (page: string): Doing =>
  ({ reader, ids }) =>
    reader.open(addressOf({ page }, ids))

const FOLLOWED: Partial<Record<ChapterName, Record<number, Following>>> = {
  volunteers: {
    2: {
      who: 'ann',
      start: '/',
      // Shifts that ask something lead to a form.
      after: {
        2: async ({ reader }) => {
          if (reader.path.includes('/signup/')) await reader.confirm()
          await reader.open('/my-shifts/')
        },
      },
      counts: count(
        'participation',
        sql`user_id = (select id from user_profile where email = 'ann@demo.example') and state in (0, 1)`,
      ),
    },
  },
  'first-event': {
    1: {
      who: 'paul',
      start: '/',
      entries: { 3: ['Hafenlauf', 'Am Deich'], 4: ['2026-06-13', '08:00', '14:00'], 5: ['2', '4'] },
      after: { 2: open('/events/new/?type={type}') },
      counts: count('event', sql`title = 'Hafenlauf' and active`),
    },
    4: {
      who: 'paul',
      start: '/events/{busyEvent}/',
      after: { 1: open('/shifts/{busy}/disposition/') },
      counts: sql<{ n: number }>`select count(*)::int as n from journal where kind = 'participation.moved'`,
    },
  },
  festival: {
    1: {
      who: 'paul',
      start: '/events/{festival}/',
      after: {
        3: ({ reader }) => reader.enterByName('paste', '2026-08-01\t08:00\t12:00\tEinlass Nord\t2'),
      },
      counts: count('shift', sql`label = 'Einlass Nord'`),
    },
    5: { who: 'paul', start: '/events/{guests}/' },
  },
  series: {
    1: { who: 'paul', start: '/events/{festival}/', entries: { 2: ['2026-09-05'] }, counts: count('event', sql`not active`) },
    3: {
      who: 'paul',
      start: '/events/{festival}/',
      after: { 1: ({ reader }) => reader.enterByName('name', 'Sommerfest wie immer') },
      counts: count('event_template', sql`name = 'Sommerfest wie immer'`),
    },
    4: {
      who: 'olga',
      entries: { 2: ['Gerätehaus', '2026-06-20'] },
      counts: count('event', sql`location = 'Gerätehaus' and active`),
    },
  },
  asking: { 2: { who: 'paul', start: '/shifts/{short}/ask/', entries: { 3: ['2'] }, counts: count('inquiry') } },
  'the-day': {
    2: { who: 'paul', start: '/events/{checkIn}/', counts: count('attendance_mark') },
    3: { who: 'paul', start: '/events/{checkIn}/', after: { 2: confirm } },
  },
  afterwards: {
    1: {
      who: 'paul',
      start: '/events/{checkIn}/',
      before: {
        1: async ({ db, ids }) => {
          // The chapter is read when the event is over.
          const day = sql`interval '1 day'`
          await sql`update shift set meeting_time = meeting_time - ${day}, start_time = start_time - ${day}, end_time = end_time - ${day}
            where event_id = ${ids.checkIn!}`.execute(db.write)
          await sql`update attendance set arrived_at = arrived_at - ${day}, left_at = arrived_at - ${day} + interval '90 minutes'
            where arrived_at is not null`.execute(db.write)
        },
      },
      after: { 3: confirm },
      counts: count('attendance_run'),
    },
  },
  groups: {
    2: { who: 'olga', counts: count('user_group') },
    3: {
      who: 'olga',
      after: { 2: ({ reader }) => reader.enterByName('name', 'Wache Süd') },
      counts: count('user_group', sql`name = 'Wache Süd'`),
    },
    4: {
      who: 'olga',
      start: '/manage/groups/{group}/',
      after: { 1: open('/manage/people/{ann}/view/') },
    },
  },
  'members-from-excel': {
    1: {
      who: 'olga',
      after: {
        2: async ({ reader, db }) => {
          const { rows } = await sql<{ row: string }>`select display_name || chr(9) || email as row from user_profile
            where email in ('ann@demo.example', 'paul@demo.example') order by email`.execute(db.read)
          const [ann, paul] = rows.map(({ row }) => row)
          const lines = [
            'Nils\tnils@new.example\t',
            'Nora\tnora@new.example\t0171 1',
            'Nora\tnora@new.example\t0171 2',
            `${ann}\t0171 2345678`,
            `${paul}\t`,
          ]
          reader.enterByName('text', ['Name\tE-Mail\tTelefon', ...lines].join('\n'))
        },
        7: confirm,
      },
      counts: count('people_import'),
    },
  },
  poster: { 1: { who: 'olga', before: { 1: open('/manage/groups/{group}/') }, counts: count('join_link') } },
  qualifications: {
    1: {
      who: 'olga',
      after: {
        2: ({ reader }) => {
          reader.enterByName('title', 'Drehleiter')
          reader.enterByName('abbreviation', 'DL')
        },
      },
      counts: count('qualification', sql`title = 'Drehleiter'`),
    },
    2: { who: 'olga', after: { 1: openPerson('child') }, entries: { 3: ['2027-05-31'] }, counts: count('qualification_grant') },
  },
  'lost-phone': {
    1: {
      who: 'olga',
      before: {
        1: async ({ db, ids }) => {
          await sql`insert into totp_factor (user_id, secret_sealed, last_step, created_at) values (${ids.child}, 'sealed', 0, now())`.execute(
            db.write,
          )
        },
      },
      after: { 1: openPerson('child'), 2: confirm, 3: confirm },
      counts: count('journal'),
    },
  },
  leaving: {
    1: {
      who: 'olga',
      before: { 1: openPerson('ann') },
      after: { 3: confirm },
      counts: count('user_profile', sql`not is_active`),
    },
  },
  'turning-18': { 2: { who: 'olga', after: { 1: openPerson('child') } } },
  connecting: {
    1: {
      who: 'olga',
      after: {
        1: open('/settings/tokens/new/'),
        2: ({ reader }) => {
          reader.enterByName('description', 'Roster on the wall')
          reader.enterByName('scope', 'PUBLIC_READ')
        },
        3: confirm,
      },
      counts: count('access_token'),
    },
  },
  'backup-test': { 1: { who: 'olga' } },
}

const stepsOf = (language: SourceLanguage, name: ChapterName, section: number): Step[] =>
  [
    ...readChapter(language, name)
      .split(/^## /m)
      [section]!.matchAll(/^(\d+)\. (.*)$/gm),
  ].map(([, number, text]) => ({
    number: Number(number),
    text: text!,
    labels: [...text!.matchAll(/\*\*(.+?)\*\*/g)].map(([, label]) => label!),
    links: [...text!.matchAll(/\]\((\/[^)#]*)\)/g)].map(([, link]) => link!),
  }))

/** The journey of the first evening follows it on an empty instance. */
const IN_JOURNEYS: readonly ChapterName[] = ['first-evening']

test('every section with steps is followed', () => {
  for (const name of CHAPTERS) {
    const sections = readChapter('en', name)
      .split(/^## /m)
      .flatMap((text, index) => (/^\d+\. /m.test(text) ? [index] : []))
    if (!IN_JOURNEYS.includes(name)) assert.deepEqual(Object.keys(FOLLOWED[name] ?? {}).map(Number), sections, name)
  }
})

describe('whoever does what the handbook says, word by word, gets what it promises', () => {
  for (const language of SOURCE_LANGUAGES)
    test(language, async () => {
      const testApp = await openTestApp(await freshSample(language), { isUnlimited: true })
      const { host, port } = new URL(testApp.origin)
      // Before anything changes: what one chapter deactivates is not found any more.
      const { rows } = await sql<{
        busyEvent: number
      }>`select event_id as "busyEvent" from shift where id = ${(await findIds(testApp.db)).busy}`.execute(testApp.db.read)
      const ids = { ...(await findIds(testApp.db)), ...rows[0]! }
      const failures: string[] = []
      try {
        for (const name of CHAPTERS)
          for (const [section, following] of Object.entries(FOLLOWED[name] ?? {})) {
            const browser = new Browser({ port: Number(port) }, { host, language })
            await browser.signIn(PASSWORDS[following.who], `${following.who}@demo.example`)
            const reader = new Reader(browser)
            const numberOf = async () => (await following.counts?.execute(testApp.db.write))?.rows[0]?.n ?? 0
            const earlier = await numberOf()
            let at = ''
            try {
              if (following.start) await reader.open(addressOf({ page: following.start }, ids))
              for (const step of stepsOf(language, name, Number(section))) {
                const scene: Scene = { reader, db: testApp.db, ids, labels: step.labels }
                at = `step ${step.number}`
                for (const link of step.links) await reader.open(link)
                await following.before?.[step.number]?.(scene)
                for (const [index, label] of step.labels.entries()) {
                  const entry = following.entries?.[step.number]?.[index]
                  if (entry === undefined) await reader.use(label)
                  else reader.enter(label, entry)
                }
                await following.after?.[step.number]?.(scene)
              }
              at = 'the end'
              if (following.counts) assert.ok((await numberOf()) > earlier, `nothing was done, at ${reader.path}`)
            } catch (error) {
              failures.push(`${name}, section ${section}, ${at}: ${(error as Error).message}`)
            }
          }
      } finally {
        await testApp.close()
      }
      assert.deepEqual(failures, [])
    })
})
