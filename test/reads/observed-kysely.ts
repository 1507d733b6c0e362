// Stands in for `kysely` in test processes: the same exports, with a `sql` that remembers its call site.
import { AsyncLocalStorage } from 'node:async_hooks'
import { sql as originalSql, type QueryExecutor, type RawBuilder } from 'kysely'
import pg from 'pg'
import { recording } from './recorder.ts'
import { addResult } from './recording.ts'

export * from 'kysely'

const siteOfTemplate = new WeakMap<object, string>()
const siteOfBuilder = new WeakMap<object, string>()
/** Texts that were compiled to be executed by the driver later. */
const siteOfText = new Map<string, string>()
/** The statement that is being executed. Callbacks of sockets can leak it into later statements, so its text is compared. */
const running = new AsyncLocalStorage<{ site: string; text: string }>()

function observedTag(strings: TemplateStringsArray, ...values: unknown[]): RawBuilder<unknown> {
  const builder = originalSql(strings, ...values)
  let site = siteOfTemplate.get(strings)
  if (site === undefined) {
    site = findCaller()
    siteOfTemplate.set(strings, site)
  }
  siteOfBuilder.set(builder, site)
  return builder
}
export const sql = Object.assign(observedTag, originalSql)

/** The place of the template literal that called observedTag. */
function findCaller(): string {
  const holder: { stack?: string } = {}
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 1
  Error.captureStackTrace(holder, observedTag)
  Error.stackTraceLimit = limit
  return /(file:\/\/[^\s()]+:\d+:\d+)\)?$/.exec(holder.stack ?? '')?.[1] ?? 'unknown'
}

const builderPrototype = Object.getPrototypeOf(originalSql`select`) as RawBuilder<unknown>
const { execute, compile, toOperationNode } = builderPrototype

builderPrototype.toOperationNode = function (this: RawBuilder<unknown>) {
  const site = siteOfBuilder.get(this)
  if (site !== undefined) recording.fragments.add(site)
  return toOperationNode.call(this)
}
builderPrototype.compile = function (this: RawBuilder<unknown>, ...args) {
  const compiled = compile.apply(this, args)
  const site = siteOfBuilder.get(this)
  if (site !== undefined) siteOfText.set(compiled.sql, site)
  return compiled
} as typeof compile
builderPrototype.execute = function (this: RawBuilder<unknown>, ...args) {
  const site = siteOfBuilder.get(this)
  if (site === undefined) return execute.apply(this, args)
  const [provider, ...rest] = args
  return execute.call(this, { getExecutor: () => observeExecutor(provider.getExecutor(), site) }, ...rest)
} as typeof execute

/** An executor that marks the statement as running. Compiling it here would run the plugins of tests twice. */
function observeExecutor(executor: QueryExecutor, site: string): QueryExecutor {
  return new Proxy(executor, {
    get: (target, name) => {
      if (name === 'executeQuery') {
        const observed: QueryExecutor['executeQuery'] = (compiled, ...rest) =>
          running.run({ site, text: compiled.sql }, () => target.executeQuery(compiled, ...rest))
        return observed
      }
      // The methods use private fields of the target.
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

type Callback = (error: Error | undefined, result: pg.QueryResult) => void
// biome-ignore lint/suspicious/noExplicitAny: the query method of pg is overloaded
type AnyQuery = (this: pg.Client, ...args: any[]) => any

const clientPrototype = pg.Client.prototype as unknown as { query: AnyQuery }
const originalQuery = clientPrototype.query
clientPrototype.query = function (...args) {
  const text: unknown = typeof args[0] === 'string' ? args[0] : args[0]?.text
  if (typeof text !== 'string') return originalQuery.apply(this, args)
  const current = running.getStore()
  const site = current?.text === text ? current.site : siteOfText.get(text)
  if (site === undefined) return originalQuery.apply(this, args)
  const note = (result: pg.QueryResult) => noteResult({ site, text, result, isShared: isSharedServer(this) })
  const observe =
    (callback: Callback): Callback =>
    (error, result) => {
      if (!error) note(result)
      callback(error, result)
    }
  // A query of the client has its callback already.
  if (typeof args[0].submit === 'function' && args[0].callback) {
    args[0].callback = observe(args[0].callback)
    return originalQuery.apply(this, args)
  }
  const callback: unknown = args.at(-1)
  if (typeof callback === 'function') return originalQuery.apply(this, [...args.slice(0, -1), observe(callback as Callback)])
  const pending: unknown = originalQuery.apply(this, args)
  if (pending instanceof Promise) pending.then(note, () => {})
  return pending
}

type Noted = { site: string; text: string; result: pg.QueryResult; isShared: boolean }

function noteResult({ site, text, result, isShared }: Noted): void {
  // Statements without a result, such as an update without "returning", have no fields.
  if (!result.fields?.length) return
  const columns = result.fields.map(({ name, dataTypeID, tableID, columnID }) => ({
    name,
    typeId: dataTypeID,
    table: isShared ? tableID : 0,
    position: isShared ? columnID : 0,
  }))
  const nulls = columns.map(({ name }) => name).filter((name) => result.rows.some((row) => row[name] === null))
  addResult(recording, site, { columns, texts: [text], nulls, isShared })
}

const sharedUrl = process.env.TURNOUT_TEST_SERVER
const shared = sharedUrl ? new pg.Client({ connectionString: sharedUrl }) : undefined
const isSharedServer = (client: pg.Client): boolean => client.host === shared?.host && client.port === shared?.port
