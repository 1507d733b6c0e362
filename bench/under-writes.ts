import { setTimeout as sleep } from 'node:timers/promises'
import type { Dataset } from './data.ts'
import { connect, serve, throughput } from './measure.ts'
import { findPairs, isPossible } from './sign-ups.ts'

type Rates = { before: number; during: number; perSecond: number }

/** Requests per second of a warm page: alone, while `write` runs so many times per second, and alone again. */
async function compare(
  call: { url: string; token: string },
  seconds: number,
  times: number,
  write: () => Promise<unknown>,
): Promise<Rates> {
  const first = await throughput(call, seconds)
  let isOver = false
  let done = 0
  const started = performance.now()
  const writer = (async () => {
    while (!isOver) {
      await write()
      done++
      await sleep(Math.max(0, started + (done * 1000) / times - performance.now()))
    }
  })()
  const during = await throughput(call, seconds)
  isOver = true
  await writer
  const perSecond = (done * 1000) / (performance.now() - started)
  // Before and after, because other load on the machine changes.
  const second = await throughput(call, seconds)
  return { before: (first + second) / 2, during, perSecond }
}

const UNRELATED_WRITES_PER_SECOND = 100
const SIGN_UPS_PER_SECOND = 20

/** Another connection commits changes that no response shows. */
export async function measureUnderWrites(data: Dataset, path: string, seconds: number): Promise<Rates> {
  const app = await serve('./server.ts', [data.url])
  const client = await connect(data.url)
  const write = () => client.query('update user_profile set phone = phone where id = (select min(id) from user_profile)')
  const rates = await compare({ url: `${app.address}${path}`, token: data.ann }, seconds, UNRELATED_WRITES_PER_SECOND, write)
  await client.end()
  await app.stop()
  return rates
}

/** Others sign up and decline through the same server. */
export async function measureUnderSignUps(data: Dataset, path: string, seconds: number): Promise<Rates> {
  const app = await serve('./server.ts', [data.url])
  const pairs = await findPairs(data, app.address)
  let turn = 0
  // A sign-up and a decline.
  const write = () => isPossible(app.address, pairs[turn++ % pairs.length]!)
  const rates = await compare({ url: `${app.address}${path}`, token: data.ann }, seconds, SIGN_UPS_PER_SECOND / 2, write)
  await app.stop()
  return { ...rates, perSecond: rates.perSecond * 2 }
}
