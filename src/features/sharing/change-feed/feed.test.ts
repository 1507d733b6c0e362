import assert from 'node:assert/strict'
import { after, describe, mock, test } from 'node:test'
import { ChangeFeed } from './feed.ts'

/** A feed that looks at nothing. `until(n)`: it has looked so often. */
function openFeed(restMs: number) {
  let message = () => {}
  const feed = new ChangeFeed({
    db: undefined as never,
    sequence: async () => true,
    listen: (onMessage) => {
      message = onMessage
      return { close: async () => {} }
    },
    onError: assert.fail,
    pollMs: 2 ** 30,
    restMs,
  })
  const awaited = new Map<number, () => void>()
  const looked = mock.method(feed, 'catchUp', async () => awaited.get(looked.mock.callCount() + 1)?.())
  feed.start()
  after(() => feed.stop())
  return {
    looked: () => looked.mock.callCount(),
    tell: (times: number) => {
      for (let n = 0; n < times; n++) message()
    },
    until: (times: number) => new Promise<void>((done) => awaited.set(times, done)),
    stop: () => feed.stop(),
  }
}

describe('messages of many transactions', () => {
  test('cause one look at once, and one after a rest', async () => {
    const feed = openFeed(20)
    const second = feed.until(2)
    feed.tell(50)
    assert.equal(feed.looked(), 1)
    await second
    assert.equal(feed.looked(), 2)
    // The next one follows another message only.
    const third = feed.until(3)
    feed.tell(1)
    await third
  })

  test('cause a look each without a rest', () => {
    const feed = openFeed(0)
    feed.tell(50)
    assert.equal(feed.looked(), 50)
  })

  test('cause no look after the end', async () => {
    const feed = openFeed(2 ** 30)
    feed.tell(2)
    await feed.stop()
    assert.equal(feed.looked(), 1)
  })
})
