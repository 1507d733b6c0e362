import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, HELPERS, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const unchecked = true

describe('the installable app', async () => {
  const world = await openWorld()
  const { shifts } = await world.addEvent({
    title: 'Harbour run',
    location: 'Pier 7',
    seenBy: [HELPERS],
    responsible: [PAUL],
    shifts: [{}, {}],
  })
  await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 1 })

  test('the manifest has the name of the organisation and icons that exist', async () => {
    await world.db.write
      .insertInto('setting')
      .values({ name: 'organization_name', value: '"Fire brigade Musterstadt"', changed_at: world.now })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: '"Fire brigade Musterstadt"' }))
      .execute()
    const { status, text, headers } = await world.with({}).get('/manifest.webmanifest', { unchecked })
    assert.equal(status, 200)
    assert.match(headers['content-type']!, /^application\/manifest\+json/)
    const manifest = JSON.parse(text) as { name: string; short_name: string; icons: { src: string }[]; start_url: string }
    assert.deepEqual([manifest.name, manifest.short_name, manifest.start_url], ['Fire brigade Musterstadt', 'Fire brigade', '/'])
    assert.equal(manifest.icons.length, 3)
    for (const { src } of manifest.icons) assert.equal((await world.with({}).get(src, { unchecked })).status, 200, src)
  })

  test('the service worker names files that exist', async () => {
    const { status, text, headers } = await world.with({}).get('/service-worker.js', { unchecked })
    assert.equal(status, 200)
    assert.match(headers['content-type']!, /^text\/javascript/)
    assert.match(headers['cache-control']!, /no-cache/)
    const shell = JSON.parse(/SHELL = JSON\.parse\('([^']+)'\)/.exec(text)![1]!) as string[]
    assert.ok(shell.length > 5)
    for (const url of shell) assert.equal((await world.with({}).get(url, { unchecked })).status, 200, url)
    const again = await world.with({ 'if-none-match': headers.etag! }).get('/service-worker.js', { unchecked })
    assert.equal(again.status, 304)
  })

  test('the page for times without a connection lists the own shifts only', async () => {
    const { status, text } = await world.withSession(ANN).get('/my-shifts/offline/', { unchecked })
    assert.equal(status, 200)
    assert.deepEqual(checkMarkup(text), [])
    assert.match(text, /Harbour run[\s\S]*Pier 7/)
    assert.equal(text.match(/class="offline-time"/g)?.length, 1)
    assert.equal((await world.with({}).get('/my-shifts/offline/', { unchecked })).status, 303)
    const paul = await world.withSession(PAUL).get('/my-shifts/offline/', { unchecked })
    assert.match(paul.text, /You have no upcoming shifts/)
  })

  test('the page without a connection contains nothing personal', async () => {
    const { status, text } = await world.with({}).get('/offline/', { unchecked })
    assert.equal(status, 200)
    assert.deepEqual(checkMarkup(text), [])
    assert.match(text, /needs a connection/)
  })
})
