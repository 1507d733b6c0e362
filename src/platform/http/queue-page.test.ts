import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { z } from 'zod'
import { html } from '#platform/html/html.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { signedIn } from './access.ts'
import { formPage, viewPage } from './page.ts'
import { QUEUE_LIMITS } from './page-queue.ts'

/** One page is made at once, one request waits, and forms that wait lead to the queue page at once. */
const LIMITS = { ...QUEUE_LIMITS, atOnce: 1, waiting: { least: 1, most: 1 }, turnMs: 2 ** 30, patienceMs: 0 }

const unchecked = true
let gate = Promise.withResolvers<void>()
let begun = Promise.withResolvers<void>()
let submitted: string[] = []
const slow = viewPage({
  path: '/probe/slow/',
  access: signedIn,
  show: async () => {
    begun.resolve()
    await gate.promise
    return { title: 'Slow', main: html`<h1>Slow</h1>` }
  },
})
const quick = viewPage({
  path: '/probe/quick/',
  access: signedIn,
  show: async () => ({ title: 'Quick', main: html`<h1>Quick</h1>` }),
})
const form = formPage({
  path: '/probe/form/',
  access: signedIn,
  form: z.object({ text: z.string() }),
  show: async () => ({ title: 'Form', main: html`<h1>Form</h1>` }),
  submit: async (_request, { text }) => {
    submitted.push(text)
    if (text === 'broken') throw new Error('broken')
    return text === 'refused' ? { refused: [{ text: 'Not this.' }], status: 409 } : { redirect: `/probe/quick/?text=${text}` }
  },
})

describe('while more people come than pages can be made', async () => {
  const world = await openWorld({ extra: { pages: [slow, quick, form] }, queueLimits: LIMITS })

  /** A browser: keeps its cookies and follows nothing. */
  async function browse(who: Person) {
    const cookies = new Map([(await world.sessionCookie(who)).split('=') as [string, string]])
    const send = async (
      method: 'GET' | 'POST',
      path: string,
      { body, headers = {} }: { body?: string; headers?: object } = {},
    ) => {
      const cookie = [...cookies].map((each) => each.join('=')).join('; ')
      const answer = await world
        .with({ cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers })
        .request(method, path, { ...(body === undefined ? {} : { body }), unchecked })
      for (const [, name, value] of (answer.headers['set-cookie'] ?? '').matchAll(/(?:^|, )([\w-]+)=([^;]*);/g))
        value ? cookies.set(name!, value) : cookies.delete(name!)
      return answer
    }
    const { text } = await send('GET', '/')
    const token = /name="csrf_token" value="([^"]+)"/.exec(text)![1]!
    return {
      cookies,
      get: (path: string, headers?: object) => send('GET', path, { headers: headers ?? {} }),
      post: (path: string, values: object) =>
        send('POST', path, { body: new URLSearchParams({ csrf_token: token, ...values }).toString() }),
    }
  }
  type Browser = Awaited<ReturnType<typeof browse>>

  /** One page is being made, and a second request waits. The returned function ends both. */
  async function occupy(browser: Browser): Promise<() => Promise<void>> {
    gate = Promise.withResolvers()
    begun = Promise.withResolvers()
    const first = browser.get('/probe/slow/')
    await begun.promise
    const second = browser.get('/probe/slow/')
    // A page for programs does not exist here, so a poll of an open page shows that the second one waits.
    while ((await browser.get('/probe/quick/', POLL)).status !== 304) await new Promise(setImmediate)
    return async () => {
      gate.resolve()
      assert.deepEqual([(await first).status, (await second).status], [200, 200])
    }
  }
  const POLL = { 'hx-request': 'true', 'hx-target': 'div#page', 'if-none-match': '"x"' }
  const plain = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

  beforeEach(() => {
    submitted = []
  })

  test('people see their position, and the page goes on by itself in their order', async () => {
    const [busy, ann, ben] = [await browse(ANN), await browse(ANN), await browse(BEN)]
    const end = await occupy(busy)
    const first = await ann.get('/probe/quick/?x=1')
    assert.deepEqual([first.status, first.headers.refresh, first.headers['cache-control']], [200, '2', 'no-store'])
    assert.match(plain(first.text), /You are number 1 in the queue/)
    assert.match(first.text, /href="\/probe\/quick\/\?x=1"/)
    assert.deepEqual(checkMarkup(first.text), [])
    assert.match(plain((await ben.get('/probe/quick/')).text), /You are number 2 in the queue/)
    assert.match(plain((await ann.get('/probe/quick/')).text), /You are number 1 in the queue/)
    await end()
    // One place is free: Ben came later.
    assert.match(plain((await ben.get('/probe/quick/')).text), /You are number 1 in the queue/)
    assert.match((await ann.get('/probe/quick/')).text, /<h1>Quick/)
    assert.match((await ben.get('/probe/quick/')).text, /<h1>Quick/)
  })

  test('whoever was let in goes on without another number', async () => {
    const [busy, ann] = [await browse(ANN), await browse(ANN)]
    const end = await occupy(busy)
    await ann.get('/probe/quick/')
    await end()
    await ann.get('/probe/quick/')
    const endAgain = await occupy(busy)
    const waiting = ann.get('/probe/quick/')
    await endAgain()
    assert.match((await waiting).text, /<h1>Quick/)
  })

  test('nobody makes up a number or a pass', async () => {
    const [busy, ann, ben] = [await browse(ANN), await browse(ANN), await browse(BEN)]
    const end = await occupy(busy)
    await ann.get('/probe/quick/')
    const [name, value] = [...ann.cookies].find(([each]) => each.includes('queue_'))!
    ben.cookies.set(name, value.replace(/^\d+/, '0'))
    ben.cookies.set(name.replace(/queue_.*/, 'queue_pass'), `9999999999999.${value.split('.')[1]}`)
    assert.match(plain((await ben.get('/probe/quick/')).text), /You are number 2 in the queue/)
    await end()
    await ann.get('/probe/quick/')
    await ben.get('/probe/quick/')
  })

  test('German browsers read it in German', async () => {
    const [busy, ann] = [await browse(ANN), await browse(ANN)]
    const end = await occupy(busy)
    assert.match((await ann.get('/probe/quick/', { 'accept-language': 'de' })).text, /Du bist Nummer 1 in der Warteschlange/)
    await end()
    await ann.get('/probe/quick/')
  })

  describe('a form that was sent', () => {
    const TEXTS: [text: string, check: (answer: Awaited<ReturnType<Browser['get']>>) => void][] = [
      ['taken', ({ status, headers }) => assert.deepEqual([status, headers.location], [303, '/probe/quick/?text=taken'])],
      ['refused', ({ status, text }) => assert.deepEqual([status, /<h1>Form/.test(text)], [409, true])],
      ['broken', ({ status }) => assert.equal(status, 500)],
    ]
    for (const [text, check] of TEXTS)
      test(`and is ${text} when its turn comes`, async () => {
        const [busy, ann, ben] = [await browse(ANN), await browse(ANN), await browse(BEN)]
        const end = await occupy(busy)
        const sent = await ann.post('/probe/form/', { text })
        assert.equal(sent.status, 303)
        const path = sent.headers.location!
        assert.match(path, /^\/probe\/form\/\?queued=/)
        const waiting = await ann.get(path)
        assert.deepEqual([waiting.status, waiting.headers.refresh, submitted], [200, '2', []])
        assert.match(plain(waiting.text), /We have what you sent\. It is number 2 in the queue\./)
        await end()
        // Turns are taken in order: this one follows the form.
        await busy.get('/probe/quick/', { 'hx-request': 'true', 'hx-target': 'main#main' })
        assert.deepEqual(submitted, [text])
        assert.match((await ben.get(path)).text, /<h1>Form/)
        check(await ann.get(path))
        // Given out once, done once.
        assert.match((await ann.get(path)).text, /<h1>Form/)
        assert.deepEqual(submitted, [text])
      })

    test('is answered at once when nobody waits', async () => {
      const ann = await browse(ANN)
      assert.equal((await ann.post('/probe/form/', { text: 'now' })).headers.location, '/probe/quick/?text=now')
    })
  })

  // Last: all of them keep their numbers.
  test('whoever has to wait for longer reads for how long about, and asks again later', async () => {
    const [busy, ann, ben] = [await browse(ANN), await browse(ANN), await browse(BEN)]
    const end = await occupy(busy)
    const first = await ann.get('/probe/quick/')
    assert.doesNotMatch(plain(first.text), /to go/)
    // Without a cookie, each gets a number.
    for (let number = 2; number <= 450; number++) await world.with({}).request('GET', '/probe/quick/', { unchecked })
    const last = await ben.get('/probe/quick/')
    assert.match(plain(last.text), /You are number 451 in the queue\. About 2 minutes to go\./)
    assert.equal(last.headers.refresh, '30')
    assert.deepEqual(checkMarkup(last.text), [])
    await end()
  })
})
