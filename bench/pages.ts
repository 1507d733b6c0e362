import type { Dataset } from './data.ts'
import { latencies, median, serve } from './measure.ts'

/** Median duration of a page for an administrator, in milliseconds. */
export async function measurePage({ url, olgaCookie }: Dataset, path: string): Promise<number> {
  const served = await serve('./server.ts', [url, 'unkept'])
  const call = { url: `${served.address}${path}`, headers: { cookie: olgaCookie, host: 'localhost', accept: 'text/html' } }
  await latencies(call, 5)
  const times = await latencies(call, 30)
  await served.stop()
  return median(times)
}
