import { z } from 'zod'

/** The first line of a backup. */
export const manifest = z.object({
  format: z.literal('turnout-backup'),
  /** Version of the format. */
  version: z.literal(1),
  /** Version of Turnout. */
  turnout: z.string(),
  made_at: z.string(),
  site_url: z.string(),
  time_zone: z.string(),
  language: z.string(),
  /** Applied migrations, oldest first. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  /** Absent in backups of versions without extensions. */
  extensions: z
    .array(z.object({ name: z.string(), version: z.string().nullable(), migrations: z.array(z.string()) }))
    .default([]),
  /** Id of the key that sealed values need. */
  key_id: z.string(),
  /** Only in encrypted backups. */
  secret_key: z.string().optional(),
})
export type Manifest = z.infer<typeof manifest>

/** Followed by the rows of the table, one line each. */
export const tableLine = z.object({ table: z.string(), columns: z.array(z.string()) })

/** A part of an uploaded file; the parts of a file follow each other. */
export const fileLine = z.object({ file: z.object({ id: z.uuid(), data: z.base64() }) })

export const endLine = z.object({
  end: z.object({
    rows: z.record(z.string(), z.number()),
    /** Number of uploaded files; absent in backups of versions without files. */
    files: z.number().default(0),
    /** Last values of the id sequences, so that no id is used twice. */
    sequences: z.record(z.string(), z.number()),
    /** Of all uncompressed bytes before this line. */
    sha256: z.string(),
  }),
})
export type ArchiveEnd = z.infer<typeof endLine>['end']
