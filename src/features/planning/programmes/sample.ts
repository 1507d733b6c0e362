import { sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { SampleContext } from '#platform/features/sample-data.ts'
import type { Session } from './formats/programme-file.ts'
import { DEFAULT_OPTIONS } from './rules/options.ts'

const HOUR_MS = 3600_000

/** Hours after the start of the event. */
const SESSIONS: [title: string, room: string, track: string, from: number, to: number][] = [
  ['Shantychor Ahrensmünde', 'Große Bühne', 'Musik', 4, 5],
  ['Knoten für Kinder', 'Zelt am Kai', 'Mitmachen', 4, 6],
  ['Deichblasorchester', 'Große Bühne', 'Musik', 5.25, 6.5],
  ['Poetry Slam', 'Zelt am Kai', 'Wort', 7, 8.5],
  ['Nebelhorn', 'Große Bühne', 'Musik', 9, 11],
]

/** The programme of the open air concert, read from a file and not applied yet. */
export async function loadProgramme({ tx, now }: SampleContext): Promise<void> {
  // never null: start (the condition compares it)
  const event = await rowsOf(tx).first(sql<{ id: number; start: Date }>`
    select e.id, e.start_time as start from event e where e.title like 'Open Air%' and e.start_time > ${now} order by e.start_time limit 1`)
  if (!event) return
  const at = (hours: number) => new Date(event.start.getTime() + hours * HOUR_MS).toISOString()
  const sessions = SESSIONS.map(
    ([title, room, track, from, to], index): Session => ({
      key: `klang-${index + 1}`,
      title,
      room,
      track,
      type: '',
      start: at(from),
      end: at(to),
    }),
  )
  await tx
    .insertInto('programme')
    .values({
      event_id: event.id,
      file_name: 'schedule.xml',
      format: 'schedule_xml',
      title: 'Klang am Hafen',
      content: JSON.stringify({ sessions, faults: [] }),
      options: JSON.stringify(DEFAULT_OPTIONS),
      read_at: now,
    })
    .execute()
}
