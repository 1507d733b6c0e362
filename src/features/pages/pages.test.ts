import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contextAs } from '#test/support/command-context.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, OLGA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { changeContentPage, createContentPage, deleteContentPage } from './commands.ts'
import { legalPageOf, suggestSlug } from './rules.ts'

for (const [title, slug] of [
  ['Häufige Fragen!', 'häufige-fragen'],
  ['  2031: the plan ', '2031-the-plan'],
  ['???', ''],
  ['x'.repeat(300), 'x'.repeat(250)],
] as const)
  test(`the slug of “${title.slice(0, 20)}”`, () => assert.equal(suggestSlug(title), slug))

for (const [slug, name] of [
  ['Impressum', 'imprint'],
  ['datenschutz', 'privacy'],
  ['impressum-2', undefined],
] as const)
  test(`${slug} means ${name ?? 'no legal page'}`, () => assert.equal(legalPageOf(slug), name))

describe('pages', async () => {
  const world = await openWorld()
  const olga = await browserOf(world, OLGA)
  const ann = await browserOf(world, ANN)
  const anonymous = (path: string) => world.nobody.get(path, { unchecked: true })
  const stored = () => world.db.read.selectFrom('content_page').selectAll().orderBy('id').execute()

  test('are managed by administrators and people with the permission only', async () => {
    for (const path of ['/manage/pages/', '/manage/pages/new/']) assert.equal((await ann.get(path)).statusCode, 403)
    assert.equal((await ann.post('/manage/pages/new/', { form: { title: 'x' } })).statusCode, 403)
    const list = await olga.get('/manage/pages/')
    assert.deepEqual(checkMarkup(list.body), [])
    assert.match(list.body, /There are no pages yet/)
    assert.deepEqual(await stored(), [])
  })

  test('need a title and an address that is free', async () => {
    const empty = await olga.post('/manage/pages/new/', { form: { title: '', content: 'x' } })
    assert.equal(empty.statusCode, 422)
    assert.match(empty.body, /Please enter a title/)
    for (const [form, message] of [
      [{ title: '!!!' }, /no letters or digits/],
      [{ title: 'Rules', slug: 'a b' }, /letters and digits, separated/],
      [{ title: 'Rules', slug: '../manage' }, /letters and digits, separated/],
    ] as const)
      assert.match((await olga.post('/manage/pages/new/', { form })).body, message)
    const form = { title: 'House rules', content: '# Be kind\n\n<script>alert(1)</script>', in_footer: 'on' }
    const created = await olga.post('/manage/pages/new/', { form })
    assert.equal(created.headers.location, '/pages/house-rules/')
    assert.match((await olga.post('/manage/pages/new/', { form })).body, /Another page has this address/)
    assert.equal((await stored()).length, 1)
  })

  test('are for signed-in people unless they are public', async () => {
    const page = await ann.get('/pages/house-rules/')
    assert.deepEqual(checkMarkup(page.body), [])
    assert.match(page.body, /Be kind/)
    assert.doesNotMatch(page.body, /<script>alert/)
    assert.doesNotMatch(page.body, /Edit page/)
    const redirected = await anonymous('/pages/house-rules/')
    assert.equal(redirected.headers.location, `/accounts/login/?next=${encodeURIComponent('/pages/house-rules/')}`)
    assert.equal((await anonymous('/pages/unknown/')).status, 404)
  })

  test('are linked in the footer for people who can read them', async () => {
    const link = /href="\/pages\/house-rules\/"/
    assert.match((await ann.get('/')).body, link)
    assert.doesNotMatch((await anonymous('/accounts/login/')).text, link)
    const [{ id } = { id: 0 }] = await stored()
    const form = { title: 'House rules', slug: 'house-rules', content: 'Be kind', in_footer: 'on', is_public: 'on', version: '1' }
    assert.equal((await olga.post(`/manage/pages/${id}/`, { form })).statusCode, 303)
    assert.match((await anonymous('/accounts/login/')).text, link)
    assert.match((await anonymous('/pages/house-rules/')).text, /Be kind/)
  })

  test('are not overwritten by an outdated form, which keeps its values', async () => {
    const [{ id } = { id: 0 }] = await stored()
    const stale = await olga.post(`/manage/pages/${id}/`, { form: { title: 'My rules', slug: 'house-rules', version: '1' } })
    assert.equal(stale.statusCode, 409)
    assert.match(stale.body, /Another person changed this page/)
    assert.match(stale.body, /value="My rules"/)
    assert.equal((await stored())[0]!.title, 'House rules')
  })

  test('are deleted after a confirmation, and the journal keeps the text', async () => {
    const [{ id } = { id: 0 }] = await stored()
    assert.match((await olga.get(`/manage/pages/${id}/delete/`)).body, /Links to \/pages\/house-rules\/ will no longer work/)
    assert.equal((await olga.post(`/manage/pages/${id}/delete/`)).statusCode, 303)
    assert.deepEqual(await stored(), [])
    assert.equal((await ann.get('/pages/house-rules/')).statusCode, 404)
    const journal = await world.db.read
      .selectFrom('journal')
      .select(['kind', 'changes'])
      .where('subject_kind', '=', 'page')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      journal.map(({ kind }) => kind),
      ['page.created', 'page.changed', 'page.deleted'],
    )
    assert.deepEqual((journal[2]!.changes as Record<string, unknown>).content, ['Be kind', null])
    assert.match((await olga.get('/manage/log/')).body, /deleted the page/)
  })

  test('lead to the imprint by its usual addresses', async () => {
    assert.equal((await anonymous('/pages/impressum/')).status, 404)
    await world.db.write.insertInto('setting').values({ name: 'imprint', value: '"We"' }).execute()
    assert.equal((await anonymous('/pages/impressum/')).headers.location, '/imprint/')
  })

  test('are managed by permission, each for its own step', async () => {
    const form = { title: 'Tools', slug: 'tools', content: '', is_public: false, in_footer: false, version: 1 }
    const adder = await world.addPerson({ name: 'Adam', permissions: ['add_page'] })
    const editor = await world.addPerson({ name: 'Edda', permissions: ['change_page'] })
    const remover = await world.addPerson({ name: 'Remo', permissions: ['delete_page'] })
    const denied = { code: 'permission_denied' }
    for (const person of [ANN, editor, remover]) await assert.rejects(createContentPage(contextAs(world, person), form), denied)
    assert.deepEqual(await createContentPage(contextAs(world, adder), form), { ok: true, slug: 'tools', isChanged: true })
    const { id } = (await stored()).find(({ slug }) => slug === 'tools')!
    const changed = { ...form, title: 'All tools' }
    for (const person of [ANN, adder, remover])
      await assert.rejects(changeContentPage(contextAs(world, person), id, changed), denied)
    const [edda, remo] = [await browserOf(world, editor), await browserOf(world, remover)]
    const list = await edda.get('/manage/pages/')
    assert.equal(list.statusCode, 200)
    assert.doesNotMatch(list.body, /manage\/pages\/new\//)
    assert.match(list.body, /<nav[\s\S]*href="\/manage\/"/)
    assert.match((await edda.get('/pages/tools/')).body, /Edit page/)
    assert.doesNotMatch((await edda.get(`/manage/pages/${id}/`)).body, /pages\/\d+\/delete\//)
    assert.equal(
      (await edda.post(`/manage/pages/${id}/`, { form: { title: 'All tools', slug: 'tools', version: '1' } })).statusCode,
      303,
    )
    for (const person of [ANN, adder, editor]) await assert.rejects(deleteContentPage(contextAs(world, person), id), denied)
    for (const [browser, path, status] of [
      [edda, 'new/', 403],
      [edda, `${id}/delete/`, 403],
      [remo, '', 403],
      [remo, `${id}/`, 403],
      [remo, `${id}/delete/`, 200],
    ] as const)
      assert.equal((await browser.get(`/manage/pages/${path}`)).statusCode, status, path)
    assert.equal((await remo.post(`/manage/pages/${id}/delete/`)).statusCode, 303)
  })
})
