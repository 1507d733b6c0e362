import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { WriteContext } from '#platform/auth/context.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { SOURCE_LANGUAGES } from '#platform/i18n/languages.ts'
import { recordEtag } from './etag.ts'
import { jsonBytes } from './json.ts'
import { withPrecondition } from './preconditions.ts'
import { Problem } from './problem.ts'

type Version = number | undefined
const keyring = makeKeyring('k'.repeat(32))
const etagOf = (version: number) => recordEtag(jsonBytes({ version }), undefined, keyring)

/** What the transaction and others see of a record, and how often each of them asked. */
class Reads {
  readonly asked = { own: 0, committed: 0 }
  readonly #own: (read: number) => Version
  readonly #committed: (read: number) => Version

  constructor(own: (read: number) => Version, committed: (read: number) => Version) {
    this.#own = own
    this.#committed = committed
  }

  /** Writes if the record has the version. Returns what was thrown, or `written`. */
  async write(version: number, { hasEarlierWrites = false, perform = async () => {} } = {}): Promise<unknown> {
    const [own, committed] = [{}, {}]
    const context = { db: own, committed, site: { keyring, timeZone: 'UTC' } } as unknown as WriteContext
    let calls = 0
    const target = async ({ db }: { db: unknown }) => {
      // Records are read once per language.
      const isFirst = calls++ % SOURCE_LANGUAGES.length === 0
      const who = db === own ? 'own' : 'committed'
      if (isFirst) this.asked[who]++
      const seen = who === 'own' ? this.#own(this.asked.own) : this.#committed(this.asked.committed)
      return seen === undefined ? undefined : { version: seen }
    }
    const write = { context, endpoint: { target } as never, path: {}, ifMatch: etagOf(version), hasEarlierWrites }
    try {
      await withPrecondition(write, perform)
      return 'written'
    } catch (error) {
      return error instanceof Problem ? { code: error.code, headers: error.headers } : error
    }
  }
}
const always = (version: Version) => () => version
const FAILED = { code: 'precondition_failed', headers: {} }

describe('a write with If-Match', () => {
  test('is carried out if the record has the version before and after it', async () => {
    const reads = new Reads(always(1), always(1))
    assert.equal(await reads.write(1), 'written')
    assert.deepEqual(reads.asked, { own: 1, committed: 1 })
  })

  test('is refused before it does anything if the record has another version', async () => {
    let performed = 0
    const perform = async () => void performed++
    assert.deepEqual(await new Reads(always(2), always(2)).write(1, { perform }), FAILED)
    assert.equal(performed, 0)
  })

  test('is refused if another write was committed meanwhile, or the record is gone', async () => {
    assert.deepEqual(await new Reads(always(1), always(2)).write(1), FAILED)
    assert.deepEqual(await new Reads(always(1), always(undefined)).write(1), FAILED)
    assert.equal(((await new Reads(always(undefined), always(1)).write(1)) as { code: string }).code, 'not_found')
  })
})

describe('a write with If-Match after other writes of its batch', () => {
  const batch = { hasEarlierWrites: true }

  test('is compared again if they did not change the record', async () => {
    assert.deepEqual(await new Reads(always(1), (read) => (read === 1 ? 1 : 2)).write(1, batch), FAILED)
  })

  test('is based on what they wrote, which nobody else sees yet', async () => {
    assert.equal(await new Reads(always(5), always(1)).write(5, batch), 'written')
  })

  test('without them, a version that nobody else sees is refused', async () => {
    assert.deepEqual(await new Reads(always(5), always(1)).write(5), FAILED)
  })

  test('reads again while others commit, up to five times', async () => {
    // Two reads of what is committed for each attempt: they differ in the first attempts.
    const settlesAt = (attempt: number) => new Reads(always(99), (read) => Math.min(read, 2 * attempt - 1))
    const last = settlesAt(5)
    assert.equal(await last.write(99, batch), 'written')
    assert.equal(last.asked.committed, 10)
    const never = settlesAt(6)
    assert.deepEqual(await never.write(99, batch), { code: 'conflict', headers: { 'retry-after': '1' } })
    assert.equal(never.asked.committed, 10)
  })
})
