import pg from 'pg'
import { forgetKeptPages } from '#platform/http/kept-pages.ts'
import { openBenchApp } from './app.ts'
import type { Statement } from './measure.ts'

/** All statements that this process sends meanwhile, those of transactions included. */
export async function recordStatements(work: () => Promise<void>): Promise<Statement[]> {
  const statements: Statement[] = []
  const original = pg.Client.prototype.query
  // biome-ignore lint/suspicious/noExplicitAny: pg's query is overloaded
  pg.Client.prototype.query = function (this: pg.Client, ...args: any[]): any {
    const [first, values] = args
    if (typeof first === 'string') statements.push({ text: first, values: Array.isArray(values) ? values : [] })
    else if (first?.text) statements.push({ text: first.text, values: first.values ?? [] })
    // biome-ignore lint/suspicious/noExplicitAny: pg's query is overloaded
    return (original as any).apply(this, args)
  } as typeof original
  try {
    await work()
  } finally {
    pg.Client.prototype.query = original
  }
  return statements
}

/** SQL statements of one request; records the second request, when caches are filled. Its page is made anew, as after a write. */
export async function statementsOf(url: string, path: string, headers: Record<string, string>): Promise<Statement[]> {
  const { app, db } = await openBenchApp(url)
  const request = { url: path, headers: { host: 'localhost', ...headers } }
  await app.app.inject(request)
  forgetKeptPages(db)
  const statements = await recordStatements(async () => {
    const response = await app.app.inject(request)
    if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`)
  })
  await app.stop({ grace: Promise.resolve() })
  await db.close()
  return statements
}
