import type { Tx } from '#platform/db/transaction.ts'
import type { Random } from '#platform/sample-data/random.ts'

const FROM_PARTICIPANT = [
  'Ich komme direkt von der Arbeit, vielleicht fünf Minuten später.',
  'Can bring the big tent if somebody helps me to load it.',
  'Fahre mit dem eigenen Auto, zwei Plätze frei.',
  'Vegetarisch, bitte.',
  'I would like to be on the night team again.',
  'Kann auch länger bleiben, wenn jemand fehlt.',
] as const
const FROM_RESPONSIBLE = [
  'Danke! Bitte das Funkgerät an der Wache abholen.',
  'Please talk to Paul about your position before the briefing.',
  'Du bist für die Einweisung der Neuen eingeteilt.',
] as const
const AMONG_RESPONSIBLES = [
  'Untersuchung läuft bald ab, bitte nachfragen.',
  'First time on this kind of event: pair with somebody experienced.',
  'Hat letztes Mal kurzfristig abgesagt.',
] as const

export type Commented = { participationId: number; userId: number | null; createdAt: Date }

/** Visible to: 0 responsibles, 1 also the participant, 2 all who see the participant */
export async function loadComments(tx: Tx, participations: Commented[], responsibleId: number, random: Random): Promise<number> {
  const rows = participations.flatMap(({ participationId, userId, createdAt }) => {
    const row = { participation_id: participationId, created_at: createdAt }
    const later = { ...row, created_at: new Date(createdAt.getTime() + 45 * 60_000) }
    const own = {
      ...row,
      author_kind: 'participant',
      author_id: userId,
      text: random.pick(FROM_PARTICIPANT),
      visible_for: random.between(1, 2),
    }
    const answer = {
      ...later,
      author_kind: 'responsible',
      author_id: responsibleId,
      text: random.pick(FROM_RESPONSIBLE),
      visible_for: 1,
    }
    const note = {
      ...later,
      author_kind: 'responsible',
      author_id: responsibleId,
      text: random.pick(AMONG_RESPONSIBLES),
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
