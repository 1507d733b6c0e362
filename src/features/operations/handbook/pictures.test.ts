import assert from 'node:assert/strict'
import { globSync, statSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { modulesOf } from '#platform/features/modules.ts'
import { SOURCE_LANGUAGES } from '#platform/i18n/languages.ts'
import { freshSample, PASSWORDS } from '#test/support/demo-instance.ts'
import { openTestApp } from '#test/support/every-page.ts'
import { addressOf, findIds, fingerprintOf, PICTURES } from '#test/support/handbook/pictures.ts'
import { Browser } from '#test/support/http-browser.ts'
import { FEATURES } from '../../../features.ts'
import { readChapter } from './queries/chapters.ts'
import { findPictures } from './queries/pictures.ts'
import { CHAPTERS } from './rules/contents.ts'

const MAX_BYTES = 1_500_000
const folder = fileURLToPath(new URL('../../../../handbook/pictures/', import.meta.url))
const files = globSync('*/*.webp', { cwd: folder }).sort()

describe('the pictures of the handbook', () => {
  test('are those of the list, in both languages, and small', () => {
    const wanted = SOURCE_LANGUAGES.flatMap((language) => PICTURES.map(({ name }) => `${language}/${name}.webp`)).sort()
    assert.deepEqual(files, wanted, 'run npm run handbook')
    assert.deepEqual(Object.keys(findPictures()).sort(), wanted, 'run npm run handbook')
    assert.ok(files.reduce((sum, file) => sum + statSync(folder + file).size, 0) < MAX_BYTES)
  })

  test('are each shown: in a chapter of their language, or beside a module', () => {
    const modules = modulesOf(FEATURES).map(({ name }) => `module-${name}`)
    for (const language of SOURCE_LANGUAGES) {
      const text = CHAPTERS.map((name) => readChapter(language, name)).join('\n')
      const shown = [...text.matchAll(/!\[([^\]]+)\]\(\.\.\/pictures\/(\w+)\/([\w-]+)\.webp\)/g)]
      assert.deepEqual(
        [...shown.map(([, , , name]) => name!), ...modules].sort(),
        PICTURES.map(({ name }) => name).sort(),
        language,
      )
      for (const [, alt, folderName] of shown) {
        assert.equal(folderName, language)
        assert.ok(alt!.length > 15, alt)
      }
    }
  })

  for (const language of SOURCE_LANGUAGES)
    test(`show the pages as they are (${language})`, async () => {
      const testApp = await openTestApp(await freshSample(language), { isUnlimited: true })
      try {
        const ids = await findIds(testApp.db)
        const browsers = new Map<string, Browser>()
        const stale: string[] = []
        for (const source of PICTURES) {
          const { host, port } = new URL(testApp.origin)
          const browser = browsers.get(source.who) ?? new Browser({ port: Number(port) }, { host, language })
          if (!browsers.has(source.who)) await browser.signIn(PASSWORDS[source.who], `${source.who}@demo.example`)
          browsers.set(source.who, browser)
          const answer = await browser.get(addressOf(source, ids))
          const { statusCode, body } = answer.headers.location ? await browser.get(String(answer.headers.location)) : answer
          assert.equal(statusCode, 200, source.name)
          const { page, fingerprint } = findPictures()[`${language}/${source.name}.webp`]!
          if (page !== source.page || fingerprintOf(body) !== fingerprint) stale.push(source.name)
        }
        assert.deepEqual(stale, [], 'these pages have changed: run npm run handbook, and look at the pictures')
      } finally {
        await testApp.close()
      }
    })
})
