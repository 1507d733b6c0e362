import pg from 'pg'

const { builtins } = pg.types

/** The TypeScript type of a value after the parsers of platform/db/pool.ts. Unlisted types arrive as text. */
const SCALARS: Record<number, string> = {
  [builtins.BOOL]: 'boolean',
  [builtins.INT2]: 'number',
  [builtins.INT4]: 'number',
  [builtins.INT8]: 'number',
  [builtins.OID]: 'number',
  [builtins.FLOAT4]: 'number',
  [builtins.FLOAT8]: 'number',
  [builtins.TIMESTAMP]: 'Date',
  [builtins.TIMESTAMPTZ]: 'Date',
  [builtins.BYTEA]: 'Buffer',
  [builtins.INTERVAL]: 'object',
  // The content of JSON is not described by PostgreSQL.
  [builtins.JSON]: 'unknown',
  [builtins.JSONB]: 'unknown',
}

/** Ids of array types by the type of their elements, where the driver parses them. */
const ARRAYS: Record<number, string> = {
  1000: 'boolean',
  1001: 'Buffer',
  1005: 'number',
  1007: 'number',
  1016: 'number',
  1021: 'number',
  1022: 'number',
  1231: 'number',
  1009: 'string',
  1015: 'string',
  2951: 'string',
  1115: 'Date',
  1182: 'Date',
  1185: 'Date',
  199: 'unknown',
  3807: 'unknown',
}

/** Row types may be narrower than this, for example a union of literals, but not different. */
export function valueTypeOf(typeId: number): string {
  const element = ARRAYS[typeId]
  if (element !== undefined) return `readonly (${element} | null)[]`
  return SCALARS[typeId] ?? 'string'
}

export const LISTED_TYPES = [...Object.keys(SCALARS), ...Object.keys(ARRAYS)].map(Number)
