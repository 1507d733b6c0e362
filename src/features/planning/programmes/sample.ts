import { sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { SampleContext } from '#platform/features/sample-data.ts'
import { inLanguage, type SampleText } from '#platform/sample-data/language.ts'
import type { Session } from './formats/programme-file.ts'
import { DEFAULT_OPTIONS } from './rules/options.ts'

const HOUR_MS = 3600_000

const STAGE = { en: 'Main stage', de: 'Große Bühne' }
const TENT = { en: 'Quayside tent', de: 'Zelt am Kai' }
const MUSIC = { en: 'Music', de: 'Musik' }

/** Hours after the start of the event. */
const SESSIONS: [title: SampleText, room: SampleText, track: SampleText, from: number, to: number][] = [
  [{ en: 'Saltmouth Shanty Choir', de: 'Shantychor Ahrensmünde' }, STAGE, MUSIC, 4, 5],
  [{ en: 'Knots for children', de: 'Knoten für Kinder' }, TENT, { en: 'Workshop', de: 'Mitmachen' }, 4, 6],
  [{ en: 'Dyke Brass Band', de: 'Deichblasorchester' }, STAGE, MUSIC, 5.25, 6.5],
  [{ en: 'Poetry slam', de: 'Poetry Slam' }, TENT, { en: 'Spoken word', de: 'Wort' }, 7, 8.5],
  [{ en: 'Foghorn', de: 'Nebelhorn' }, STAGE, MUSIC, 9, 11],
]

/** The programme of the open air concert, read from a file and not applied yet. */
export async function loadProgramme({ language, tx, now }: SampleContext): Promise<void> {
  // never null: start (the condition compares it)
  const event = await rowsOf(tx).first(sql<{ id: number; start: Date }>`
    select e.id, e.start_time as start from event e where e.title like 'Open Air%' and e.start_time > ${now} order by e.start_time limit 1`)
  if (!event) return
  const at = (hours: number) => new Date(event.start.getTime() + hours * HOUR_MS).toISOString()
  const sessions = inLanguage(SESSIONS, language).map(
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
      title: { en: 'Harbour Sounds', de: 'Klang am Hafen' }[language],
      content: JSON.stringify({ sessions, faults: [] }),
      options: JSON.stringify(DEFAULT_OPTIONS),
      read_at: now,
    })
    .execute()
}
