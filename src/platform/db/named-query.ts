import pg from 'pg'

type QueryConfig = { name?: string; text: string; values: unknown[] }
type Callback = (error: unknown, result: unknown) => void

/** What `pg` derives from the description of the rows that a statement returns. */
type RowShape = { fields: unknown[]; _parsers: unknown[]; _prebuiltEmptyResultObject: object }

type Connection = { describe: (what: unknown) => void }
/** What this class uses of the queries of `pg`. */
declare class Internals {
  constructor(text: string, values: unknown[], callback: Callback)
  name?: string
  _result: RowShape
  _accumulateRows: boolean
  prepare(connection: Connection): void
  handleRowDescription(message: unknown): void
}
const Query = pg.Query as unknown as typeof Internals

/**
 * The rows of the statements that one connection has prepared. PostgreSQL refuses a prepared statement whose rows would change (0A000), and
 * the connection ends then; so what it told about them once holds as long as the connection.
 */
export class KnownRows {
  readonly #shapes = new Map<string, RowShape>()
  #isDescribing = true

  of(name: string | undefined): RowShape | undefined {
    return name === undefined ? undefined : this.#shapes.get(name)
  }

  remember(name: string, { fields, _parsers, _prebuiltEmptyResultObject }: RowShape): void {
    this.#shapes.set(name, { fields, _parsers, _prebuiltEmptyResultObject })
  }

  /** Lets `send` send its messages without the one that asks for the description. */
  withoutDescribing(connection: Connection, send: () => void): void {
    if (!Object.hasOwn(connection, 'describe')) {
      const describe = connection.describe.bind(connection)
      connection.describe = (what) => {
        if (this.#isDescribing) describe(what)
      }
    }
    this.#isDescribing = false
    try {
      send()
    } finally {
      this.#isDescribing = true
    }
  }
}

/** A query that asks for the description of its rows only when its statement is new on the connection. */
export class NamedQuery extends Query {
  readonly #known: KnownRows
  constructor(config: QueryConfig, known: KnownRows, callback: Callback) {
    // `pg` copies an object with descriptors of its properties, which takes longer than the rest of this constructor.
    super(config.text, config.values, callback)
    if (config.name !== undefined) this.name = config.name
    this.#known = known
  }

  override prepare(connection: Connection): void {
    const shape = this.#known.of(this.name)
    if (shape) {
      Object.assign(this._result, shape)
      this._accumulateRows = true
      this.#known.withoutDescribing(connection, () => super.prepare(connection))
    } else super.prepare(connection)
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message)
    if (this.name !== undefined) this.#known.remember(this.name, this._result)
  }
}
