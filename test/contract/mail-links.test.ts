import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { makeFormerMails, makeNotificationMails, makeTaskMails, type SampleMail } from '#test/support/every-mail.ts'
import { addMailFixtures } from '#test/support/mail-fixtures.ts'
import { openWorld, SITE_URL, type World } from '#test/support/world.ts'

/** Files that make mails: those in `every-mail.ts`, and others with the reason why not. */
const MAKERS: Record<string, string> = {
  'sharing/guests/jobs.ts': 'guest_link_mail',
  'accounts/joining/jobs.ts': 'join_mail',
  'messaging/mails/pages.ts': 'a test mail, with no link but that to the first page, which all mails contain',
  'messaging/notifications/views/mail.ts': 'every kind of notification',
  'accounts/own-profile/jobs.ts': 'email_change_mail',
  'access/service-accounts/jobs.ts': 'service_account_expiry_mail',
  'access/sign-in/jobs.ts': 'account_mail',
  'access/tokens/jobs.ts': 'token_expiry_mail',
}

/** The account of the child is its own from then on; there is no page to open. */
const WITHOUT_LINK = ['guardianship_ended']

const SOURCES = new URL('../../src/features/', import.meta.url)
const MAX_REDIRECTS = 4

/** Paths of this instance in the text, the page and the headers of a mail. */
function linksIn({ mail }: SampleMail): string[] {
  const all = `${mail.text}\n${mail.html ?? ''}\n${Object.values(mail.headers ?? {}).join('\n')}`.replaceAll('&amp;', '&')
  const found = all.matchAll(/https:\/\/a\.example(\/[^\s"'<>)]*)?/g)
  return [...new Set([...found].map(([, path]) => path ?? '/'))]
}

/** As a program does that checks mails: it follows redirects within the site. */
async function open(world: World, method: 'GET' | 'HEAD', path: string, cookie: string | undefined): Promise<number> {
  let at = path
  for (let hop = 0; ; hop++) {
    const { status, location } = await send(world, method, at, cookie)
    const next = location === undefined ? undefined : new URL(location, SITE_URL)
    if (!next || next.origin !== SITE_URL || hop === MAX_REDIRECTS) return status
    at = `${next.pathname}${next.search}`
  }
}

function send(world: World, method: string, path: string, cookie: string | undefined) {
  const headers = { host: new URL(SITE_URL).host, ...(cookie === undefined ? {} : { cookie }) }
  return new Promise<{ status: number; location: string | undefined }>((resolve, reject) => {
    const outgoing = request(
      { hostname: '127.0.0.1', port: world.line.port, method, path, headers, agent: false },
      (response) => {
        response.resume()
        response.on('error', reject)
        response.on('end', () => resolve({ status: response.statusCode ?? 0, location: response.headers.location }))
      },
    )
    outgoing.on('error', reject)
    outgoing.end()
  })
}

/** A fingerprint of the rows of every table, and of the waiting jobs. The clock of the test stands still, so no table is left out. */
async function fingerprint({ db }: World): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.oid::regclass::text as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`.execute(db.write)
  const parts = [...tables.map(({ name }) => name), 'graphile_worker._private_jobs'].map(
    (name) => sql`select ${name} as name, md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as rows
      from ${sql.raw(name)} t`,
  )
  const { rows } = await sql<{ name: string; rows: string }>`${sql.join(parts, sql` union all `)}`.execute(db.write)
  return Object.fromEntries(rows.map((row) => [row.name, row.rows]))
}

/** Grows with every transaction that writes; other tests on the same server can cause that, too. */
async function getLastWrite({ db }: World): Promise<string> {
  const { rows } = await sql<{ at: string }>`select pg_snapshot_xmax(pg_current_snapshot())::text as at`.execute(db.write)
  return rows[0]!.at
}

describe('links in mails', async () => {
  const world = await openWorld({ hasMail: true })
  const made = await addMailFixtures(world)
  const notifications = await makeNotificationMails(made)
  const mails = [...notifications, ...(await makeTaskMails(made)), ...(await makeFormerMails(made))]

  test('every file that makes mails is known here', () => {
    const makers = globSync('**/*.ts', { cwd: SOURCES, exclude: (name) => name.endsWith('.test.ts') }).filter((file) =>
      readFileSync(new URL(file, SOURCES), 'utf8').includes('mailBodies({'),
    )
    assert.deepEqual(makers.sort(), Object.keys(MAKERS).sort())
  })

  test('every notification has one', () => {
    const without = notifications.filter((mail) => linksIn(mail).every((path) => path === '/')).map(({ what }) => what)
    assert.deepEqual(without, WITHOUT_LINK)
  })

  test('change nothing when a person or a program opens them, with a session and without', async () => {
    const cookies = new Map<SampleMail['reader'], string | undefined>([[undefined, undefined]])
    for (const { reader } of mails) if (reader) cookies.set(reader, await world.sessionCookie(reader))
    const before = await fingerprint(world)
    const opened = new Set<string>()
    const dead: string[] = []
    const suspects: string[] = []
    for (const sample of mails)
      for (const link of linksIn(sample)) {
        const cookie = cookies.get(sample.reader)
        if (opened.has(`${link} ${cookie}`)) continue
        opened.add(`${link} ${cookie}`)
        const statuses: number[] = []
        const written = await getLastWrite(world)
        for (const each of new Set([undefined, cookie]))
          for (const method of ['HEAD', 'GET'] as const) statuses.push(await open(world, method, link, each))
        if ((await getLastWrite(world)) !== written) suspects.push(`${sample.what}: ${link}`)
        // 303: on to the partner instance of a visitor.
        if (!statuses.some((status) => status === 200 || status === 303)) dead.push(`${sample.what}: ${link} answers ${statuses}`)
      }
    const after = await fingerprint(world)
    const changed = Object.keys(after).filter((name) => after[name] !== before[name])
    assert.deepEqual(changed, [], `Some of these links changed tables:\n${suspects.join('\n')}`)
    assert.ok(opened.size > 50, `${opened.size} links`)
    assert.deepEqual(dead, [], 'the links work, so the test has opened the pages themselves')
  })
})
