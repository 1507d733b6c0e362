import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wordsFor } from '#platform/i18n/words.ts'
import { csvDownload, csvDownloadInTurns } from './csv-download.ts'

const [english, german] = [wordsFor('en', 'UTC'), wordsFor('de', 'UTC')]
const HEAD = ['Name', 'Hours']
const HEADERS = { 'content-disposition': 'attachment; filename="hours.csv"', 'cache-control': 'no-store' }

test('a table is a file that nothing keeps, with the separator of the language', () => {
  assert.deepEqual(csvDownload(english, [HEAD, ['Ann', '2']], 'hours'), {
    content: '\ufeffName,Hours\r\nAnn,2\r\n',
    contentType: 'text/csv; charset=utf-8',
    headers: HEADERS,
  })
  assert.equal(csvDownload(german, [HEAD], 'hours').content, '\ufeffName;Hours\r\n')
})

describe('a long table', () => {
  async function download(count: number, atOnce?: number) {
    const sizes: number[] = []
    const items = Array.from({ length: count }, (_, n) => n)
    const rowsOf = (some: readonly number[]) => {
      sizes.push(some.length)
      return some.map((n) => [`Person ${n}`, '1'])
    }
    const made = await csvDownloadInTurns(german, items, { head: HEAD, rowsOf, name: 'hours', ...(atOnce ? { atOnce } : {}) })
    const whole = csvDownload(german, [HEAD, ...items.map((n) => [`Person ${n}`, '1'])], 'hours')
    assert.deepEqual({ ...made, content: String(made.content) }, whole)
    return sizes
  }
  const CASES: [items: number, atOnce: number | undefined, sizes: number[]][] = [
    [0, undefined, []],
    [200, undefined, [200]],
    [201, undefined, [200, 1]],
    [5, 2, [2, 2, 1]],
    [4, 2, [2, 2]],
  ]
  for (const [items, atOnce, sizes] of CASES)
    test(`of ${items} items, ${atOnce ?? 'as many as usual'} at once, is made in ${sizes.length} parts and equal`, async () =>
      assert.deepEqual(await download(items, atOnce), sizes))

  test('lets other work go on between its parts', async () => {
    let turns = 0
    const seen: number[] = []
    let running = true
    const turn = () => {
      turns++
      if (running) setImmediate(turn)
    }
    setImmediate(turn)
    await csvDownloadInTurns(english, [1, 2, 3], {
      head: HEAD,
      rowsOf: () => {
        seen.push(turns)
        return []
      },
      name: 'hours',
      atOnce: 1,
    })
    running = false
    assert.equal(new Set(seen).size, 3)
  })
})
