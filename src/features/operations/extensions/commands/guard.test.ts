import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '#platform/http/problem.ts'
import { makeLog } from '#platform/log.ts'
import { makeGuard, within } from './guard.ts'

const never = () => new Promise<never>(() => {})
const LONG_MS = 600_000
const MOST_FAILURES = 10
const WINDOW_MS = 10 * 60_000

describe('the guard of an extension', () => {
  function open(onStop: (reason: string) => Promise<void> = async () => {}) {
    const lines: Record<string, unknown>[] = []
    const log = makeLog('trace', { write: (line) => void lines.push(JSON.parse(line)) })
    const clock = { at: 0 }
    const stops: string[] = []
    const guard = makeGuard({
      name: 'lottery',
      log,
      clock: { now: () => new Date(clock.at) },
      onStop: async (reason) => {
        stops.push(reason)
        await onStop(reason)
      },
    })
    const fail = (error: unknown = new Error('broken')) => guard.omit('section', LONG_MS, () => Promise.reject(error))
    return { guard, fail, clock, stops, lines }
  }

  test('returns what the work returns', async () => {
    const { guard, lines } = open()
    assert.equal(await guard.run('page', LONG_MS, async () => 7), 7)
    assert.equal(await guard.omit('page', LONG_MS, async () => 8), 8)
    assert.deepEqual(lines, [])
  })

  test('throws or omits what fails, also at once, and logs what it was', async () => {
    const { guard, lines } = open()
    const broken = (): Promise<number> => {
      throw new Error('broken')
    }
    await assert.rejects(guard.run('page', LONG_MS, broken), /broken/)
    assert.equal(await guard.omit('home link', LONG_MS, broken), undefined)
    assert.deepEqual(
      lines.map(({ level, msg, extension, what }) => [level, msg, extension, what]),
      [
        [40, 'extension failed', 'lottery', 'page'],
        [40, 'extension failed', 'lottery', 'home link'],
      ],
    )
  })

  test('does not wait for what takes too long', async () => {
    await assert.rejects(within(1, never), /took longer than 1 ms/)
    assert.equal(await within(LONG_MS, async () => 'done'), 'done')
  })

  test('switches the extension off after as many failures as are allowed within the time, and counts anew', async () => {
    const { fail, clock, stops, lines } = open()
    for (let n = 1; n < MOST_FAILURES; n++) await fail()
    assert.deepEqual(stops, [])
    clock.at += WINDOW_MS - 1
    await fail(new Error('the last one'))
    assert.deepEqual(stops, ['section: the last one'])
    const line = lines.find(({ msg }) => msg === 'extension switched off')!
    assert.deepEqual([line.level, line.extension, line.reason], [50, 'lottery', 'section: the last one'])
    for (let n = 1; n < MOST_FAILURES; n++) await fail()
    assert.equal(stops.length, 1)
    await fail('no error')
    assert.deepEqual(stops[1], 'section: no error')
  })

  test('forgets failures of long ago', async () => {
    const { fail, clock, stops } = open()
    for (let n = 1; n < MOST_FAILURES; n++) await fail()
    clock.at += WINDOW_MS + 1
    await fail()
    assert.deepEqual(stops, [])
  })

  test('does not count refusals, which are answers', async () => {
    const { guard, fail, stops, lines } = open()
    const refusal = new Problem('permission_denied')
    for (let n = 0; n < 2 * MOST_FAILURES; n++) await fail(refusal)
    await assert.rejects(
      guard.run('page', LONG_MS, () => Promise.reject(refusal)),
      (error) => error === refusal,
    )
    assert.deepEqual([stops, lines], [[], []])
  })

  test('goes on if the extension cannot be switched off', async () => {
    const { fail, lines } = open(() => Promise.reject(new Error('no database')))
    for (let n = 0; n < MOST_FAILURES; n++) assert.equal(await fail(), undefined)
    assert.equal(lines.at(-1)!.msg, 'extension could not be switched off')
  })
})
