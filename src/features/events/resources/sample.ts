import { sql } from 'kysely'
import type { SampleContext } from '#platform/features/sample-data.ts'
import { inLanguage } from '#platform/sample-data/language.ts'

const CATEGORIES = [
  {
    name: { en: 'Vehicles', de: 'Fahrzeuge' },
    titles: [
      { en: 'Engine 1', de: 'HLF 20' },
      { en: 'Ambulance 2', de: 'KTW 2' },
      { en: 'Minibus', de: 'Mannschaftswagen' },
    ],
  },
  {
    name: { en: 'Rooms', de: 'Räume' },
    titles: [
      { en: 'Training room 1', de: 'Schulungsraum 1' },
      { en: 'Main hall', de: 'Großer Saal' },
    ],
  },
  { name: { en: 'Equipment', de: 'Material' }, titles: [{ en: 'First aid tent', de: 'Sanitätszelt' }] },
]

/** Vehicles, rooms and material. The coming shifts use one vehicle each, two of them the same at the same time. */
export async function loadResources({ language, tx, now }: SampleContext): Promise<void> {
  for (const { name, titles } of inLanguage(CATEGORIES, language)) {
    const { id } = await tx.insertInto('resource_category').values({ name }).returning('id').executeTakeFirstOrThrow()
    await tx
      .insertInto('resource')
      .values(titles.map((title) => ({ title, category_id: id })))
      .execute()
  }
  await sql`
    insert into shift_resource (shift_id, resource_id)
    select s.id, r.id from (
      select id, row_number() over (order by start_time, id) as n from shift where start_time > ${now} order by start_time, id limit 8
    ) s join (select id, row_number() over (order by id) as n, count(*) over () as all from resource) r on r.n = s.n / 2 % r.all + 1`.execute(
    tx,
  )
}
