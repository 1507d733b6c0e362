import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exchangedCatalogue } from '../schema.ts'
import { type ExchangedQualification, planImport } from './catalogue-import.ts'
import { STARTERS, starterCatalogue } from './starters.ts'

const all = (entries: readonly ExchangedQualification[]) => new Set(entries.map(({ uuid }) => uuid))

describe('catalogues to begin with', () => {
  for (const starter of STARTERS)
    for (const language of ['de', 'en'] as const)
      test(`${starter} in ${language} can be imported whole, and each entry alone`, () => {
        const entries = starterCatalogue(starter, language)
        assert.deepEqual(exchangedCatalogue.parse(entries), entries)
        assert.equal(all(entries).size, entries.length)
        for (const text of [entries.map(({ title }) => title), entries.map(({ abbreviation }) => abbreviation)])
          assert.deepEqual([new Set(text).size, text.includes('')], [entries.length, false], 'each text once')
        assert.ok(entries.some(({ valid_months }) => valid_months))
        const inCatalogue = (uuid: string) => all(entries).has(uuid)
        for (const { title, includes } of entries) assert.ok(includes.every(inCatalogue), `what ${title} includes is there`)
        for (const uuid of all(entries)) assert.equal(planImport(entries, [], new Set([uuid])).ok, true)
        assert.equal(planImport(entries, [], all(entries)).ok, true)
      })

  test('have the same qualifications in both languages, so that an import in the other one adds nothing', () => {
    for (const starter of STARTERS) assert.deepEqual(all(starterCatalogue(starter, 'de')), all(starterCatalogue(starter, 'en')))
  })
})
