import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { strFromU8, unzipSync } from 'fflate'
import { eraseAccount } from '#features/accounts/users/commands/account-state.ts'
import { transact } from '#platform/db/transaction.ts'
import { personalDataOf } from '#platform/features/personal-data.ts'
import { addCanary, CANARY } from '#test/support/canary.ts'
import { contextAs } from '#test/support/command-context.ts'
import { parseHtml, walk } from '#test/support/html-tree.ts'
import { journalOf } from '#test/support/journal.ts'
import { ANN, OLGA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { FEATURES } from '../../../features.ts'

const PERSONAL_DATA = personalDataOf(FEATURES)

const DOWNLOAD = '/settings/data/download/'

describe('the download of own data', async () => {
  const world = await openWorld()
  const { person } = await addCanary(world)
  const { write } = world.db
  const bens = await world.addParticipation({
    who: ANN,
    shift: (await world.addEvent({ title: 'Secret gathering', shifts: [{}] })).shifts[0]!,
    comments: [{ text: 'Only about Ann', level: 0, by: ANN }],
  })
  await write.updateTable('user_profile').set({ password_hash: 'argon-hash' }).where('id', '=', person.id).execute()
  const browser = await browserOf(world, person)
  const reply = await browser.post(DOWNLOAD)
  const files = unzipSync(reply.bytes)
  const data = JSON.parse(strFromU8(files['data.json']!))
  const document = strFromU8(files['index.html']!)

  test('is a ZIP archive that is neither cached nor shown', () => {
    assert.equal(reply.statusCode, 200)
    assert.equal(reply.headers['content-type'], 'application/zip')
    assert.match(String(reply.headers['content-disposition']), /^attachment; filename="turnout-data-\d+-2031-05-01\.zip"$/)
    assert.equal(reply.headers['cache-control'], 'private, no-store')
  })

  test('has rows in every section of the list', () => {
    const sections = PERSONAL_DATA.flatMap(({ export: { section } }) => (section === undefined ? [] : [section]))
    assert.deepEqual(Object.keys(data.sections), sections)
    assert.deepEqual(
      sections.filter((section) => !data.sections[section].length),
      [],
    )
  })

  test('has every column of a new table without being told', async () => {
    const { rows } = await world.db.writePool.query(
      "select column_name from information_schema.columns where table_name = 'user_profile' and table_schema = 'public'",
    )
    const given = new Set([...Object.keys(data.sections.profile[0]), ...Object.keys(data.withheld.profile)])
    assert.deepEqual(
      rows.map((row) => row.column_name).filter((name: string) => !given.has(name)),
      [],
    )
  })

  test('has comments of planners without their name, and nothing about others', () => {
    const about = data.sections.comments_about_me.map(({ text }: { text: string }) => text)
    assert.deepEqual(about.sort(), ['Call 0170', `${CANARY.name} limps`])
    const text = JSON.stringify(data)
    assert.doesNotMatch(text, /Only about Ann|Secret gathering|ann@a\.example|"Anna"|argon-hash/)
    assert.ok(!data.sections.participations.some(({ id }: { id: number }) => id === bens))
  })

  test('names what it withholds', () => {
    assert.equal(data.withheld.profile.password_hash, 'secret')
    assert.equal(data.withheld.requests.decided_by_id, 'other_person')
  })

  test('includes uploaded files', () => {
    const paths = Object.keys(files).filter((name) => name.startsWith('files/'))
    assert.deepEqual(paths.sort(), [
      `files/face of ${CANARY.name}.png`,
      `files/plan-${person.id}.pdf`,
      `files/proof of ${CANARY.name}.pdf`,
    ])
    assert.equal(strFromU8(files[`files/proof of ${CANARY.name}.pdf`]!), `file 0 of ${CANARY.name}`)
    assert.equal(data.files.length, 3)
  })

  test('has a document without anything external, in the language of the person', async () => {
    assert.match(document, /<html lang="en">.*Data about Zacharias Canarius.*Past run.*confirmed/s)
    assert.doesNotMatch(document, /<script|<link|src=|https:\/\/a\.example/)
    await write.updateTable('user_profile').set({ preferred_language: 'de' }).where('id', '=', person.id).execute()
    const german = strFromU8(unzipSync((await browser.post(DOWNLOAD)).bytes)['index.html']!)
    assert.match(german, /<html lang="de">.*Daten über Zacharias Canarius.*Schichten/s)
    const labels = [...german.matchAll(/<(?:th scope="col"|dt)>([^<]+)</g)].map(([, label]) => label!)
    assert.deepEqual(
      labels.filter((label) => /^[a-z]/.test(label)),
      [],
      'columns without a German name',
    )
    await write.updateTable('user_profile').set({ preferred_language: 'en' }).where('id', '=', person.id).execute()
  })

  test('is whole and runs nothing, whatever texts and names of files contain', async () => {
    const change = (text: string, name: string) =>
      transact(write, async (tx) => {
        await tx.updateTable('participation_comment').set({ text }).where('text', '=', comment).execute()
        await tx.updateTable('stored_file').set({ name }).where('name', '=', file).execute()
        comment = text
        file = name
      })
    let [comment, file] = ['Call 0170', `plan-${person.id}.pdf`]
    const before = [comment, file] as const
    for (const [text, name] of [
      ['2031-99-99', '../../etc/passwd'],
      ['2031-99-99T08:00, with boots', '"><script>x</script>.pdf'],
      ['"><img src=//leak.example/i onerror=x>', 'javascript:x//\u202egnp.exe'],
      ['<a href="javascript:x">a</a>', '.'],
    ] as const) {
      await change(text, name)
      const archive = unzipSync((await browser.post(DOWNLOAD)).bytes)
      const names = Object.keys(archive)
      assert.ok(
        names.every((each) => /^(data\.json|index\.html|files\/[\p{L}\p{N}_ -][\p{L}\p{N}._ -]*)$/u.test(each)),
        names.join('\n'),
      )
      const page = strFromU8(archive['index.html']!)
      assert.ok(
        page.endsWith('</html>\n') &&
          page.includes(text.slice(0, 10).replaceAll('"', '&quot;').replaceAll('>', '&gt;').replaceAll('<', '&lt;')),
        text,
      )
      const elements = [...walk(parseHtml(page))]
      assert.deepEqual(
        elements.filter(
          ({ tag, attributes }) => ['script', 'img'].includes(tag) || Object.keys(attributes).some((key) => key.startsWith('on')),
        ),
        [],
      )
      const links = elements.filter(({ tag }) => tag === 'a').map(({ attributes }) => decodeURI(attributes.href!))
      assert.deepEqual(links.sort(), names.filter((each) => each.startsWith('files/')).sort())
    }
    await change(...before)
  })

  test('is in the log', async () => {
    const kinds = (await journalOf(world, 'user', person.id)).map(({ kind }) => kind)
    assert.ok(kinds.includes('user.data_downloaded'))
  })

  test('has no link that a mail program, a scanner or another site could follow', async () => {
    const { token } = browser
    for (const method of ['GET', 'HEAD'] as const) {
      const { status, headers } = await world.withSession(person).request(method, DOWNLOAD, { unchecked: true })
      assert.deepEqual([status, headers.allow], [405, 'POST'])
    }
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }] as Record<string, string>[])
      assert.equal((await browser.post(DOWNLOAD, { headers })).statusCode, 403)
    assert.equal((await browser.post(DOWNLOAD, { token: undefined })).statusCode, 403)
    assert.equal((await (await browserOf(world, ANN)).post(DOWNLOAD, { token })).statusCode, 403, 'the form of another person')
  })

  test('is about the person of the session, whatever the form and the address say', async () => {
    const zoe = await world.addPerson({ name: 'Zoe' })
    const other = await browserOf(world, zoe)
    const form = { user: String(person.id), user_id: String(person.id), id: String(person.id) }
    const given = await other.post(`${DOWNLOAD}?user=${person.id}`, { form })
    const own = JSON.parse(strFromU8(unzipSync(given.bytes)['data.json']!))
    assert.deepEqual([own.person_id, own.sections.profile[0].email], [zoe.id, zoe.email])
    for (const text of Object.values(unzipSync(given.bytes)).map((file) => strFromU8(file)))
      assert.doesNotMatch(text, new RegExp(CANARY.name))
  })

  test('needs a session that was proved a short time ago, and logs nothing otherwise', async () => {
    const logged = async () =>
      (await journalOf(world, 'user', person.id)).filter(({ kind }) => kind === 'user.data_downloaded').length
    const before = await logged()
    const start = world.now
    world.now = new Date(start.getTime() + 15 * 60_000 - 1000)
    assert.equal((await browser.post(DOWNLOAD)).statusCode, 200, 'before 15 minutes have passed')
    world.now = new Date(start.getTime() + 15 * 60_000)
    const asked = await browser.post(DOWNLOAD)
    world.now = start
    assert.deepEqual([asked.statusCode, asked.headers['content-disposition']], [403, undefined])
    assert.match(asked.body, /name="password"/)
    assert.equal(await logged(), before + 1)
  })

  test('needs a session: none, one that was ended, and one of a person who is inactive are none', async () => {
    const anonymous = await world.nobody.request('POST', DOWNLOAD, { unchecked: true })
    assert.match(String(anonymous.headers.location), /^\/accounts\/login\//)
    assert.notEqual(await world.nobody.status('/settings/data/', { unchecked: true }), 200)
    const left = await browserOf(world, await world.addPerson({ name: 'Left' }))
    const { token } = left
    const kept = new Map(left.cookies)
    assert.equal((await left.post('/accounts/logout/')).statusCode, 303)
    for (const [name, value] of kept) left.cookies.set(name, value)
    assert.match(String((await left.post(DOWNLOAD, { token })).headers.location), /^\/accounts\/login\//)
    const gone = await world.addPerson({ name: 'Gone' })
    const closed = await browserOf(world, gone)
    await world.setActive(gone, false)
    assert.match(String((await closed.post(DOWNLOAD)).headers.location), /^\/accounts\/login\//)
    await world.setActive(gone, true)
    await transact(write, (tx) => eraseAccount(tx, contextAs(world, OLGA), gone.id))
    assert.match(String((await closed.post(DOWNLOAD)).headers.location), /^\/accounts\/login\//, 'after the erasure')
  })

  test('has all of many rows', async () => {
    await world.db.writePool.query(
      `insert into notification (user_id, kind, source, bundle, created_at, next_attempt_at)
       select $1, 'reminder', 'many:' || n, 'b', now(), now() from generate_series(1, 1203) n`,
      [person.id],
    )
    const again = JSON.parse(strFromU8(unzipSync((await browser.post(DOWNLOAD)).bytes)['data.json']!))
    const sources = new Set(again.sections.notifications.map(({ source }: { source: string }) => source))
    assert.equal(sources.size, 1204)
  })
})

test('downloads are limited', async () => {
  const world = await openWorld({ rateLimit: '1' })
  const browser = await browserOf(world, ANN)
  const replies: number[] = []
  for (let i = 0; i < 4; i++) replies.push((await browser.post(DOWNLOAD)).statusCode)
  assert.deepEqual(replies, [200, 200, 200, 303])
  assert.match((await browser.get('/settings/data/')).body, /try again in a minute/)
})
