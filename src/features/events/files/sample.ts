import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { SampleContext } from '#platform/features/sample-data.ts'

const PLAN = {
  name: { en: 'Site map.pdf', de: 'Lageplan.pdf' },
  lines: {
    en: [
      'Site map',
      '',
      'Meeting point: car park behind the fire station',
      'First aid tent: next to the stage',
      'Radio: channel 4',
    ],
    de: ['Lageplan', '', 'Treffpunkt: Parkplatz hinter der Feuerwache', 'Sanitaetszelt: neben der Buehne', 'Funk: Kanal 4'],
  },
}

/** One PDF on two coming events; guests of one of them can open it, too. */
export async function loadFiles({ language, tx, files, now }: SampleContext): Promise<void> {
  if (!files) return
  const name = PLAN.name[language]
  const content = makePdf(PLAN.lines[language])
  const id = randomUUID()
  await files.put(
    id,
    (async function* () {
      yield content
    })(),
  )
  const sha256 = createHash('sha256').update(content).digest()
  await tx
    .insertInto('stored_file')
    .values({ id, name, content_type: 'application/pdf', bytes: content.length, sha256, created_at: now })
    .execute()
  await sql`
    with uploaded as (
      insert into attachment (title, file_id, uploader_id, created_at)
      select ${name}, ${id}, (select id from user_profile where email = 'paul@demo.example'), ${now} returning id
    )
    insert into event_attachment (event_id, attachment_id)
    select chosen.id, uploaded.id from uploaded, (
      (select e.id from event e where e.listed and e.start_time > ${now} order by e.start_time, e.id limit 1)
      union
      (select e.id from event e join guest_share g on g.event_id = e.id where e.listed and e.start_time > ${now} order by e.start_time, e.id limit 1)
    ) chosen`.execute(tx)
}

/** One page with these lines of text (ASCII). */
function makePdf(lines: readonly string[]): Buffer {
  const text = lines.map((line) => `(${line.replaceAll(/[()\\\\]/g, '')}) Tj T*`).join('\n')
  const page = `BT /F1 18 Tf 26 TL 60 760 Td\n${text}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${page.length} >>\nstream\n${page}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.4\n'
  const starts = objects.map((object, index) => {
    const start = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return start
  })
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(`${file}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`, 'latin1')
}
