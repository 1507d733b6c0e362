import { z } from 'zod'

/** The first line of a backup, and what must be known before anything else is read. */
export const manifest = z.object({
  format: z.literal('turnout-backup'),
  /** Of this format, not of the program. */
  version: z.literal(1),
  turnout: z.string(),
  made_at: z.string(),
  site_url: z.string(),
  time_zone: z.string(),
  language: z.string(),
  /** The history of the schema, oldest first. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  /** The key that sealed values need. */
  key_id: z.string(),
  /** Only in backups with a passphrase. */
  secret_key: z.string().optional(),
})
export type Manifest = z.infer<typeof manifest>

/** Rows of the table follow, an object a line, until the next of these. */
export const tableLine = z.object({ table: z.string(), columns: z.array(z.string()) })

export const lastLine = z.object({
  end: z.object({
    rows: z.record(z.string(), z.number()),
    /** The highest number that was given out, so that none is given out twice. */
    sequences: z.record(z.string(), z.number()),
    /** Of all bytes before this line, uncompressed. */
    sha256: z.string(),
  }),
})
export type LastLine = z.infer<typeof lastLine>['end']
