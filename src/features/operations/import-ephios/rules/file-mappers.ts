import type { TableMapper } from './import-context.ts'
import { clean, cut, text, timeOr } from './values.ts'

/** Files of events, without their content, which ephios keeps in a folder; see `importFiles`. */
export const FILE_MAPPERS: TableMapper[] = [
  {
    source: 'files_document',
    map: (row, context) => {
      context.add('files_document', row.id as number)
      const values = {
        id: row.id!,
        title: cut(clean(row.title).trim(), 255) || `File ${row.id}`,
        source_path: cut(clean(row.file), 1000) || null,
        uploader_id: context.has('userprofile', row.uploader_id) ? row.uploader_id : null,
        created_at: timeOr(row.updated_at, context.now),
        // In ephios every planner can attach every file, and a file without an event stays.
        shared: true,
      }
      return [{ table: 'attachment', values }]
    },
  },
  {
    source: 'files_document_attached_to',
    map: (row, context) => {
      const table = 'files_document_attached_to'
      const isComplete = context.hasReferences(table, row, [
        ['files_document', row.document_id],
        ['event', row.event_id],
      ])
      if (!isComplete || !context.isUnique(table, row, text(row.document_id), text(row.event_id))) return []
      return [{ table: 'event_attachment', values: { event_id: row.event_id!, attachment_id: row.document_id! } }]
    },
  },
]
