import type { Tx } from '#platform/db/transaction.ts'
import type { SourceLanguage } from '#platform/i18n/languages.ts'
import type { SampleText } from '#platform/sample-data/language.ts'
import type { Random } from '#platform/sample-data/random.ts'

const FROM_PARTICIPANT: readonly SampleText[] = [
  {
    en: 'I am coming straight from work and may be five minutes late.',
    de: 'Ich komme direkt von der Arbeit, vielleicht fünf Minuten später.',
  },
  {
    en: 'I can bring the big tent if somebody helps me to load it.',
    de: 'Ich kann das große Zelt mitbringen, wenn jemand beim Einladen hilft.',
  },
  { en: 'I am taking my car and have two seats free.', de: 'Fahre mit dem eigenen Auto, zwei Plätze frei.' },
  { en: 'Vegetarian, please.', de: 'Vegetarisch, bitte.' },
  { en: 'I would like to be on the night team again.', de: 'Ich wäre gern wieder nachts dabei.' },
  { en: 'I can stay longer if you are short of people.', de: 'Kann auch länger bleiben, wenn jemand fehlt.' },
]
const FROM_RESPONSIBLE: readonly SampleText[] = [
  { en: 'Thank you! Please collect your radio from the station.', de: 'Danke! Bitte das Funkgerät an der Wache abholen.' },
  {
    en: 'Please talk to Paul about your position before the briefing.',
    de: 'Bitte sprich vor der Einweisung mit Paul über deine Aufgabe.',
  },
  { en: 'Would you show the new ones around, please?', de: 'Zeigst du bitte den Neuen alles?' },
]
const AMONG_RESPONSIBLES: readonly SampleText[] = [
  { en: 'Medical check runs out soon, please ask.', de: 'Untersuchung läuft bald ab, bitte nachfragen.' },
  {
    en: 'First time on this kind of event: pair with somebody experienced.',
    de: 'Zum ersten Mal bei so etwas dabei: bitte mit jemandem zusammen, der sich auskennt.',
  },
  { en: 'Cancelled at short notice last time.', de: 'Hat letztes Mal kurzfristig abgesagt.' },
]

export type Commented = { participationId: number; userId: number | null; createdAt: Date }

/** Visible to: 0 responsibles, 1 also the participant, 2 all who see the participant */
export async function loadComments(
  { tx, language, random }: { tx: Tx; language: SourceLanguage; random: Random },
  participations: Commented[],
  responsibleId: number,
): Promise<number> {
  const rows = participations.flatMap(({ participationId, userId, createdAt }) => {
    const row = { participation_id: participationId, created_at: createdAt }
    const later = { ...row, created_at: new Date(createdAt.getTime() + 45 * 60_000) }
    const own = {
      ...row,
      author_kind: 'participant',
      author_id: userId,
      text: random.pick(FROM_PARTICIPANT)[language],
      visible_for: random.between(1, 2),
    }
    const answer = {
      ...later,
      author_kind: 'responsible',
      author_id: responsibleId,
      text: random.pick(FROM_RESPONSIBLE)[language],
      visible_for: 1,
    }
    const note = {
      ...later,
      author_kind: 'responsible',
      author_id: responsibleId,
      text: random.pick(AMONG_RESPONSIBLES)[language],
      visible_for: 0,
    }
    return [
      ...(random.chance(0.14) ? [own] : []),
      ...(random.chance(0.05) ? [answer] : []),
      ...(random.chance(0.05) ? [note] : []),
    ]
  })
  if (rows.length) await tx.insertInto('participation_comment').values(rows).execute()
  return rows.length
}
