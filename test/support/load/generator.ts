import { setTimeout as sleep } from 'node:timers/promises'

/** One request as the client saw it. Status 0: no answer. */
export type Sample = { kind: string; ms: number; status: number; bytes: number }

export async function timed(kind: string, send: () => Promise<{ status: number; body: string }>): Promise<Sample> {
  const begun = performance.now()
  const { status, body } = await send().catch(() => ({ status: 0, body: '' }))
  return { kind, ms: performance.now() - begun, status, bytes: Buffer.byteLength(body) }
}

/** Without an answer, or one that tells of a fault of the server. */
export const isError = ({ status }: Sample): boolean => status === 0 || status >= 500 || status === 429

const MOST_OPEN = 2_000

/** Starts so many a second, whether the ones before are answered or not, as people do. */
export async function atRate(perSecond: number, seconds: number, fire: () => Promise<Sample[]>): Promise<Sample[]> {
  const samples: Sample[] = []
  const open = new Set<Promise<void>>()
  const begun = performance.now()
  for (let n = 0; n < perSecond * seconds; n++) {
    const wait = begun + (n / perSecond) * 1000 - performance.now()
    if (wait > 1) await sleep(wait)
    if (open.size >= MOST_OPEN) {
      samples.push({ kind: 'not sent', ms: 0, status: 0, bytes: 0 })
      continue
    }
    const one = fire().then((made) => {
      samples.push(...made)
      open.delete(one)
    })
    open.add(one)
  }
  await Promise.all(open)
  return samples
}

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

export type Summary = { count: number; errors: number; p50: number; p95: number; p99: number; longest: number; statuses: string }

export function summarise(samples: readonly Sample[]): Summary {
  const times = samples.map(({ ms }) => ms).sort((a, b) => a - b)
  const statuses = [...Map.groupBy(samples, ({ status }) => status)].map(([status, all]) => `${all.length} × ${status}`)
  return {
    count: samples.length,
    errors: samples.filter(isError).length,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    p99: percentile(times, 0.99),
    longest: times.at(-1) ?? 0,
    statuses: statuses.join(', '),
  }
}

/** Columns as wide as their widest cell. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]!.map((_, n) => Math.max(...rows.map((row) => row[n]!.length)))
  for (const row of rows) console.log(row.map((cell, n) => (n ? cell.padStart(widths[n]!) : cell.padEnd(widths[n]!))).join('  '))
}
