import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FORMER_ADDRESSES } from '#features/operations/import-ephios/pages/former-addresses.ts'
import { readConfig } from '#platform/config.ts'
import { pagesOf } from '#platform/features/compose.ts'
import { OLGA, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'
import type { AppOptions } from '../../src/app-options.ts'
import { makeRuntime } from '../../src/app-options.ts'

/** Pages that everyone who sees the event may open. */
const FOR_ALL = new Set([
  '/events/{event}/check-in/own/{id}/',
  '/events/{event:slug}/',
  '/events/{event:slug}/calendar.ics',
  '/events/{event}/grid/',
  '/events/{event}/roster/',
  '/events/{event}/roster.csv',
  '/events/{event}/files/{id}/',
  '/shifts/{shift}/signup/',
  '/shifts/{shift}/decline/',
  '/shifts/{shift}/undo/',
  '/shifts/{shift}/companions/',
  '/shifts/{shift}/line/join/',
  '/shifts/{shift}/stand-in/',
  '/shifts/{shift}/stand-in/cancel/',
  '/shifts/{shift}/swap/',
  '/shifts/{shift}/swap/{id}/',
  '/shifts/{shift}/swap/{id}/withdraw/',
  '/shifts/{shift}/line/leave/',
  '/shifts/{shift}/line/return/',
])

/** They lead everybody to the page of today, which checks the access. */
const FORMER = new Set(FORMER_ADDRESSES.map(([former]) => former))

/** Only for administrators: others are refused before the event is looked up. */
const FOR_ADMINISTRATORS = new Set(['/events/{event}/access/'])

/** Who may add events may also copy those that they see, and publish drafts that they see. */
const BY_SIGHT = new Set(['/events/{event}/duplicate/', '/events/{event}/template/', '/events/{event}/publish/'])

describe('a page of an event answers 404 if the event is hidden, and 403 if it is visible but not theirs to change', async () => {
  const world = await openWorld()
  const viewer = await world.addPerson({ name: 'Viewer', permissions: ['add_event', 'delete_event'] })
  const stranger = await world.addPerson({ name: 'Stranger', permissions: ['add_event', 'delete_event'] })
  const { id, shifts } = await world.addEvent({ seenBy: [viewer], responsible: [OLGA], shifts: [{}, {}] })
  const config = readConfig({ SITE_URL, SECRET_KEY: 'k'.repeat(32) }, 'serve')
  const mailer = { send: async () => {}, describe: 'nowhere' }
  const pages = pagesOf(
    makeRuntime({ config, db: world.db, clock: { now: () => world.now }, mailer } as unknown as AppOptions),
  ).filter(({ path }) => /^\/(events|shifts)\/\{/.test(path) && !FOR_ALL.has(path) && !FORMER.has(path))
  /** The event is looked up first, so any id will do for what belongs to it. */
  const fill = (path: string, event: number, shift: number) =>
    path.replace(/\{[^}]+\}/, String(path.startsWith('/events/') ? event : shift)).replace('{id}', '1')

  test('there are such pages', () => assert.ok(pages.length > 12, pages.map(({ path }) => path).join(' ')))

  const METHODS = { view: ['GET'], form: ['GET', 'POST'], action: ['POST'] } as const
  for (const { path, kind } of pages)
    for (const method of METHODS[kind])
      test(`${method} ${path}`, async () => {
        const status = async (person: Person, event: number, shift: number) => {
          const browser = await browserOf(world, person)
          const at = fill(path, event, shift)
          return (method === 'GET' ? await browser.get(at) : await browser.post(at)).statusCode
        }
        const forViewer = BY_SIGHT.has(path) ? /^(200|303|422)$/ : /^403$/
        assert.match(String(await status(viewer, id, shifts[0]!)), forViewer)
        const forStranger = FOR_ADMINISTRATORS.has(path) ? 403 : 404
        assert.equal(await status(stranger, id, shifts[0]!), forStranger)
        assert.equal(await status(viewer, 999_999, 999_999), forStranger)
      })
})
