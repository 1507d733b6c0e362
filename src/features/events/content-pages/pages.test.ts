import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { contextAs } from '#test/support/command-context.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, OLGA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { changeContentPage, createContentPage, deleteContentPage } from './commands.ts'
import { findContentPages } from './queries.ts'
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

const HOUSE_RULES = {
  title: 'House rules',
  slug: 'house-rules',
  content: 'Be kind',
  in_footer: true,
  is_public: false,
  version: 0,
}

describe('pages', async () => {
  const world = await openWorld()
  const { write } = world.db
  const olga = await browserOf(world, OLGA)
  const ann = await browserOf(world, ANN)
  const asOlga = () => contextAs(world, OLGA)
  const anonymous = (path: string) => world.nobody.get(path, { unchecked: true })
  const stored = () => write.selectFrom('content_page').selectAll().orderBy('id').execute()
  const journal = () =>
    write.selectFrom('journal').select(['kind', 'changes']).where('subject_kind', '=', 'page').orderBy('id').execute()
  /** As a page that exists before the test. */
  const add = async (values: Partial<typeof HOUSE_RULES> = {}): Promise<number> => {
    const { version: _, ...page } = { ...HOUSE_RULES, ...values }
    return (await write.insertInto('content_page').values(page).returning('id').executeTakeFirstOrThrow()).id
  }
  beforeEach(async () => {
    await write.deleteFrom('content_page').execute()
    await write.deleteFrom('journal').where('subject_kind', '=', 'page').execute()
    await write.deleteFrom('setting').where('name', '=', 'imprint').execute()
  })

  test('are managed by administrators and people with the permission only, by the pages and by the commands', async () => {
    for (const path of ['/manage/pages/', '/manage/pages/new/']) assert.equal((await ann.get(path)).statusCode, 403)
    assert.equal((await ann.post('/manage/pages/new/', { form: { title: 'x' } })).statusCode, 403)
    const list = await olga.get('/manage/pages/')
    assert.deepEqual(checkMarkup(list.body), [])
    assert.match(list.body, /There are no pages yet/)
    const id = await add()
    const asAnn = contextAs(world, ANN)
    for (const command of [
      () => createContentPage(asAnn, { ...HOUSE_RULES, slug: 'mine' }),
      () => changeContentPage(asAnn, id, { ...HOUSE_RULES, title: 'My rules', version: 1 }),
      () => deleteContentPage(asAnn, id),
    ])
      await assert.rejects(command, { code: 'permission_denied' })
    assert.deepEqual(
      (await stored()).map(({ title, version }) => [title, version]),
      [['House rules', 1]],
    )
    assert.deepEqual(await journal(), [])
  })

  for (const [why, form, message] of [
    ['a title', { title: '', content: 'x' }, /Please enter a title/],
    ['a title with letters', { title: '!!!' }, /no letters or digits/],
    ['an address without spaces', { title: 'Rules', slug: 'a b' }, /letters and digits, separated/],
    ['an address without slashes', { title: 'Rules', slug: '../manage' }, /letters and digits, separated/],
    ['an address that is free', { title: 'House rules' }, /Another page has this address/],
  ] as const)
    test(`need ${why}`, async () => {
      await add()
      const refused = await olga.post('/manage/pages/new/', { form })
      assert.equal(refused.statusCode, 422)
      assert.match(refused.body, message)
      assert.equal((await stored()).length, 1)
      assert.deepEqual(await journal(), [])
    })

  test('are created with all their values, and the journal says so', async () => {
    const form = { title: 'House rules', content: '# Be kind', in_footer: 'on' }
    assert.equal((await olga.post('/manage/pages/new/', { form })).headers.location, '/pages/house-rules/')
    const [{ id: _, ...page } = { id: 0 }, ...others] = await stored()
    assert.deepEqual(page, { ...HOUSE_RULES, content: '# Be kind', version: 1 })
    assert.deepEqual(others, [])
    const { content: __, version: ___, ...changes } = HOUSE_RULES
    assert.deepEqual(await journal(), [{ kind: 'page.created', changes }])
  })

  test('are for signed-in people unless they are public', async () => {
    await add({ content: '# Be kind\n\n<script>alert(1)</script>' })
    await add({ slug: 'open', content: 'Come in', is_public: true })
    const page = await ann.get('/pages/house-rules/')
    assert.deepEqual(checkMarkup(page.body), [])
    assert.match(page.body, /Be kind/)
    assert.doesNotMatch(page.body, /<script>alert/)
    assert.doesNotMatch(page.body, /Edit page/)
    const redirected = await anonymous('/pages/house-rules/')
    assert.equal(redirected.headers.location, `/accounts/login/?next=${encodeURIComponent('/pages/house-rules/')}`)
    assert.match((await anonymous('/pages/open/')).text, /Come in/)
    assert.equal((await anonymous('/pages/unknown/')).status, 404)
  })

  test('are linked in the footer for people who can read them', async () => {
    await add()
    await add({ slug: 'open', is_public: true })
    await add({ slug: 'unlinked', is_public: true, in_footer: false })
    const linked = (text: string) => [...text.matchAll(/href="\/pages\/([\w-]+)\/"/g)].map(([, slug]) => slug)
    assert.deepEqual(linked((await ann.get('/')).body), ['house-rules', 'open'])
    assert.deepEqual(linked((await anonymous('/accounts/login/')).text), ['open'])
  })

  test('are listed by title', async () => {
    const ids = [await add({ title: 'Zoo', slug: 'z' }), await add({ title: 'Ark', slug: 'a', is_public: true })]
    const { content: _, ...listed } = HOUSE_RULES
    assert.deepEqual(await findContentPages(world.db.read), [
      { ...listed, id: ids[1], title: 'Ark', slug: 'a', is_public: true, version: 1 },
      { ...listed, id: ids[0], title: 'Zoo', slug: 'z', version: 1 },
    ])
  })

  test('are changed, and the journal says what', async () => {
    const id = await add()
    await add({ slug: 'other' })
    const change = (values: object) => changeContentPage(asOlga(), id, { ...HOUSE_RULES, version: 1, ...values })
    assert.deepEqual(await change({}), { ok: true, slug: 'house-rules', isChanged: false })
    assert.deepEqual(await change({ slug: 'other' }), { ok: false, reason: 'slug_taken' })
    assert.deepEqual(await change({ slug: '', title: '!' }), { ok: false, reason: 'slug_missing' })
    assert.deepEqual(await journal(), [])
    assert.deepEqual(await change({ is_public: true, slug: 'rules' }), { ok: true, slug: 'rules', isChanged: true })
    assert.deepEqual(await journal(), [
      { kind: 'page.changed', changes: { slug: ['house-rules', 'rules'], is_public: [false, true] } },
    ])
    const [page, other] = await stored()
    assert.deepEqual(page, { ...HOUSE_RULES, id, slug: 'rules', is_public: true, version: 2 })
    assert.equal(other!.slug, 'other')
    assert.equal(await changeContentPage(asOlga(), id + 99, { ...HOUSE_RULES, version: 1 }), undefined)
  })

  test('are not overwritten by an outdated form, which keeps its values', async () => {
    const id = await add()
    await changeContentPage(asOlga(), id, { ...HOUSE_RULES, content: 'Be nice', version: 1 })
    const stale = await olga.post(`/manage/pages/${id}/`, { form: { title: 'My rules', slug: 'house-rules', version: '1' } })
    assert.equal(stale.statusCode, 409)
    assert.match(stale.body, /Another person changed this page/)
    assert.match(stale.body, /value="My rules"/)
    assert.deepEqual(
      (await stored()).map(({ title, content }) => [title, content]),
      [['House rules', 'Be nice']],
    )
    const form = { title: 'My rules', slug: 'house-rules', version: '2' }
    assert.equal((await olga.post(`/manage/pages/${id}/`, { form })).statusCode, 303)
    assert.equal((await stored())[0]!.title, 'My rules')
  })

  test('are deleted after a confirmation, and the journal keeps the text', async () => {
    const id = await add()
    const other = await add({ slug: 'other' })
    assert.match((await olga.get(`/manage/pages/${id}/delete/`)).body, /Links to \/pages\/house-rules\/ will no longer work/)
    assert.equal((await stored()).length, 2)
    assert.equal((await olga.post(`/manage/pages/${id}/delete/`)).statusCode, 303)
    assert.deepEqual(
      (await stored()).map((page) => page.id),
      [other],
    )
    assert.equal((await ann.get('/pages/house-rules/')).statusCode, 404)
    const changes = { title: ['House rules', null], slug: ['house-rules', null], content: ['Be kind', null] }
    assert.deepEqual(await journal(), [{ kind: 'page.deleted', changes }])
    assert.match((await olga.get('/manage/log/')).body, /deleted the page/)
    assert.equal(await deleteContentPage(asOlga(), id), undefined)
  })

  test('lead to the imprint by its usual addresses', async () => {
    assert.equal((await anonymous('/pages/impressum/')).status, 404)
    await write.insertInto('setting').values({ name: 'imprint', value: '"We"' }).execute()
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
