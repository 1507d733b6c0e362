import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FORMER_ADDRESSES } from '#features/operations/import-ephios/pages/former-addresses.ts'
import { pagesOf } from '#platform/features/compose.ts'
import { pathFinder } from '#platform/http/path.ts'
import { PROBLEM_CODES, PROBLEM_PAGE, problemLink } from '#platform/http/problem.ts'
import { SOURCE_LANGUAGES } from '#platform/i18n/languages.ts'
import { demoOptions } from '#test/support/demo-instance.ts'
import { Browser } from '#test/support/http-browser.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'
import { makeRuntime } from '../../../app-options.ts'
import { readChapter } from './queries/chapters.ts'
import { API_DOCUMENTS, apiDocumentPath, CHAPTERS, chapterPath } from './rules/contents.ts'
import { findTarget, TARGETS } from './rules/targets.ts'

/** Files, and the handbook itself. */
const NO_PAGE = /\.\w+$|^\/help\/|^\/logo\/|\/(picture|proof)\/$/
/** They lead to other pages. */
const FORMER = new Set([...FORMER_ADDRESSES.map(([former]) => former), '/documents/{id}/'])

describe('the handbook', async () => {
  const world = await openWorld()
  const pages = pagesOf(makeRuntime(demoOptions(world.databaseUrl, world.db)))
  const ann = await browserOf(world, ANN)
  const stranger = () => new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host })
  const get = (path: string, headers = {}) => stranger().get(path, { headers })

  for (const language of SOURCE_LANGUAGES)
    test(`every chapter is there for everybody, without cookies, and may be cached (${language})`, async () => {
      for (const name of CHAPTERS)
        for (const browser of [stranger(), ann]) {
          const { statusCode, headers, body } = await browser.get(chapterPath(language, name))
          assert.equal(statusCode, 200, name)
          assert.equal(headers['set-cookie'], undefined)
          assert.equal(headers['cache-control'], 'public, max-age=300')
          assert.equal(headers['content-language'], language)
          assert.doesNotMatch(String(headers.vary), /Cookie/)
          assert.match(body, new RegExp(`<html lang="${language}">`))
          assert.match(body, /aria-current="page"/)
        }
    })

  const apiPages = API_DOCUMENTS.map(apiDocumentPath)
  test('the guide of the API is a page, and leads to the reference by anchors', async () => {
    const { body } = await get('/help/api/')
    assert.match(body, /<h1>The API<\/h1>/)
    assert.match(body, / href="#authentication"/)
  })
  test('every code of a problem has a section that its link leads to', async () => {
    const { body } = await get(PROBLEM_PAGE)
    for (const code of PROBLEM_CODES) {
      const [, address, anchor] = /^<https:\/\/a\.example(.+)#(.+)>; rel="help"$/.exec(problemLink(code, SITE_URL))!
      assert.equal(address, PROBLEM_PAGE)
      assert.ok(body.includes(`<h2 id="${anchor}">${code}</h2>`), code)
    }
  })
  for (const path of apiPages)
    test(`${path} is a page, in English for everybody, and its links lead somewhere`, async () => {
      const answer = await get(path, { 'accept-language': 'de' })
      assert.deepEqual(
        [answer.statusCode, answer.headers['content-language'], answer.headers['set-cookie']],
        [200, 'en', undefined],
      )
      assert.match(answer.body, /<html lang="en">/)
      assert.deepEqual(checkMarkup(answer.body), [])
      const anchors = new Set([...answer.body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `#${id}`))
      const targets = [...answer.body.matchAll(/ href="([^"]+)"/g)].map(([, target]) => target!)
      assert.deepEqual(
        targets.filter((target) => (target.startsWith('#') ? !anchors.has(target) : !/^(\/|https:\/\/)/.test(target))),
        [],
      )
    })

  test('a chapter that is unchanged is not sent again', async () => {
    const { headers } = await get('/help/en/volunteers/')
    assert.equal((await get('/help/en/volunteers/', { 'if-none-match': String(headers.etag) })).statusCode, 304)
  })

  test('the address without a language leads to that of the reader', async () => {
    const of = async (language: string) => (await get('/help/', { 'accept-language': language })).headers.location
    assert.deepEqual([await of('de-AT,en;q=0.5'), await of('fr, en;q=0.3')], ['/help/de/', '/help/en/'])
    assert.equal((await ann.get('/help/', { headers: { 'accept-language': 'de' } })).headers.location, '/help/en/')
  })

  test('the other language is the same chapter', async () => {
    assert.match((await get('/help/de/series/')).body, /href="\/help\/en\/series\/" hreflang="en"/)
    assert.match((await get('/help/en/series/')).body, /href="\/help\/de\/series\/" hreflang="de"/)
  })

  test('chapters follow each other', async () => {
    const { body } = await get('/help/en/series/')
    assert.match(body, /rel="prev" href="\/help\/en\/festival\/"/)
    assert.match(body, /rel="next" href="\/help\/en\/asking\/"/)
    assert.doesNotMatch((await get('/help/en/volunteers/')).body, /rel="prev"/)
  })

  test('an unknown chapter, language or picture is not found; the page lists what there is', async () => {
    for (const [path, language] of [
      ['/help/de/nothing/', 'de'],
      ['/help/fr/', 'en'],
      ['/help/fr/series/', 'en'],
    ] as const) {
      const { statusCode, body, headers } = await get(path, { 'accept-language': 'en' })
      assert.equal(statusCode, 404, path)
      assert.equal(headers['cache-control'], 'no-store')
      for (const name of CHAPTERS) assert.match(body, new RegExp(`href="${chapterPath(language, name)}"`))
    }
    for (const name of [
      'en/nothing.webp',
      'fr/home.webp',
      'en/..%2Fmanifest.json',
      '__proto__/x',
      'en/..%2F..%2F..%2Fpackage.json',
    ])
      assert.equal((await get(`/help/images/${name}`)).statusCode, 404)
  })

  test('pictures may be cached, and those that are unchanged are not sent again', async () => {
    const { statusCode, headers, bytes } = await get('/help/images/de/home.webp')
    assert.deepEqual([statusCode, headers['content-type'], headers['set-cookie']], [200, 'image/webp', undefined])
    assert.equal(bytes.subarray(8, 12).toString(), 'WEBP')
    assert.equal((await get('/help/images/de/home.webp', { 'if-none-match': String(headers.etag) })).statusCode, 304)
  })

  test('searches without scripts, and repeats what was entered as text', async () => {
    const { body } = await get('/help/en/?q=poster+QR+code')
    assert.match(body, /places? in the handbook for “poster QR code”|says nothing about “poster QR code”/)
    assert.match((await get('/help/de/?q=Vertretung')).body, /href="\/help\/de\/volunteers\/#du-kannst-doch-nicht"/)
    const markup = (await get('/help/en/?q=%3Cb%3Ex')).body
    assert.match(markup, /&lt;b&gt;x/)
    assert.doesNotMatch(markup, /<b>x/)
  })

  test('searches the documents of the API, too, which are in English', async () => {
    assert.match((await get('/help/en/?q=idempotency')).body, /<li ><a href="\/help\/api\/problems\/#idempotency-key-reused">/)
    assert.match(
      (await get('/help/de/?q=idempotency')).body,
      /<li lang="en"><a href="\/help\/api\/problems\/#idempotency-key-reused">/,
    )
  })

  test('links of chapters into the site lead to pages that exist', () => {
    const find = pathFinder(pages)
    const missing = SOURCE_LANGUAGES.flatMap((language) =>
      CHAPTERS.flatMap((name) =>
        [...readChapter(language, name).matchAll(/\]\((\/[^)#?\s]*)/g)]
          .filter(([, path]) => !find(path!))
          .map(([, path]) => `${language}/${name}: ${path}`),
      ),
    )
    assert.deepEqual(missing, [])
  })

  test('every page has a chapter', () => {
    const without = pages.filter(
      ({ kind, path }) => kind !== 'action' && !NO_PAGE.test(path) && !FORMER.has(path) && findTarget(path) === undefined,
    )
    assert.deepEqual(
      without.map(({ path }) => path),
      [],
    )
  })

  test('every line of the table belongs to a page', () => {
    const lines = Object.keys(TARGETS).map((path) => [path, new RegExp(`^${path.replaceAll('*', '\\{[^/]+\\}')}`)] as const)
    assert.deepEqual(
      lines.filter(([, pattern]) => !pages.some(({ path }) => pattern.test(path))).map(([path]) => path),
      [],
    )
  })

  test('the footer of a page leads to its chapter, in the language of the reader', async () => {
    const linkOf = async (path: string, browser = ann) =>
      /<a href="(\/help\/[^"]*)">Help<\/a>/.exec((await browser.get(path)).body)?.[1]
    assert.equal(await linkOf('/'), '/help/en/volunteers/')
    assert.equal(await linkOf('/my-shifts/?from=2020-01-01'), '/help/en/volunteers/')
    assert.equal(await linkOf('/planning/'), '/help/en/asking/')
    assert.equal(await linkOf('/accounts/login/', stranger()), '/help/en/volunteers/')
  })
})
