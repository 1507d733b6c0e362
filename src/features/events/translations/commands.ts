import { type Kysely, sql } from 'kysely'
import { getContentPage } from '#features/events/content-pages/queries.ts'
import { getQuestion } from '#features/events/questionnaires/queries.ts'
import { requirePlannedEvent } from '#features/planning/planning/queries/events.ts'
import { type Actor, hasPermission } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import type { TextOwner } from '#platform/features/own-texts.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { COLUMNS, findTextsOf } from './queries.ts'
import type { FieldName, Originals } from './rules.ts'

type TextRecord = { name: string; originals: Originals }

function requirePermission(actor: Actor, permission: Permission): void {
  if (!hasPermission(actor, permission)) throw new Problem('permission_denied')
}

const SOURCES: Record<TextOwner, (db: Kysely<DB>, actor: Actor, id: number) => Promise<TextRecord>> = {
  event: async (db, actor, id) => {
    const { title, description } = await requirePlannedEvent({ db, actor }, id)
    return { name: title, originals: { title, description: description ?? '' } }
  },
  page: async (db, actor, id) => {
    requirePermission(actor, 'change_page')
    const { title, content } = requireFound(await getContentPage(db, id))
    return { name: title, originals: { title, content } }
  },
  question: async (db, actor, id) => {
    requirePermission(actor, 'change_question')
    const { name, text, description, kind, choices } = requireFound(await getQuestion(db, id))
    return { name, originals: { text, explanation: description, choices: kind === 'text' ? '' : choices.join('\n') } }
  },
}

/** What has been written in a record that the person may change. */
export const requireRecord = (db: Kysely<DB>, actor: Actor, owner: TextOwner, id: number): Promise<TextRecord> =>
  SOURCES[owner](db, actor, id)

/** `originals`: the texts that were translated. An empty translation is deleted. */
type Translated = {
  owner: TextOwner
  id: number
  texts: ReadonlyMap<string, Readonly<Partial<Record<FieldName, string>>>>
  originals: Originals
}

/** Saves the texts of these languages; those of other ones stay. */
export const saveTexts = (
  context: CommandContext,
  { owner, id, texts, originals }: Translated,
): Promise<{ isChanged: boolean }> =>
  transact(context.db, async (tx) => {
    await requireRecord(tx, context.actor, owner, id)
    const stored = await findTextsOf(tx, owner, id)
    const changed: string[] = []
    for (const [language, fields] of texts) {
      const before = stored.filter((each) => each.language === language)
      const after = Object.entries(fields).flatMap(([field, text]) =>
        text === '' ? [] : [{ field, text, original: originals[field as FieldName] ?? '' }],
      )
      const isSame =
        before.length === after.length &&
        after.every(({ field, text, original }) =>
          before.some((each) => each.field === field && each.text === text && each.original === original),
        )
      if (isSame) continue
      changed.push(language)
      await replaceTexts(tx, { owner, id, language }, after)
    }
    if (changed.length) await recordChange(tx, context, { owner, id, languages: changed })
    return { isChanged: changed.length > 0 }
  })

async function recordChange(
  tx: Tx,
  context: CommandContext,
  { owner, id, languages }: { owner: TextOwner; id: number; languages: readonly string[] },
): Promise<void> {
  const changes = { languages }
  switch (owner) {
    case 'event':
      await record(tx, context, { kind: 'event.translated', subject: { kind: 'event', id }, eventId: id, changes })
      return
    case 'page':
      await record(tx, context, { kind: 'page.translated', subject: { kind: 'page', id }, changes })
      return
    case 'question':
      await record(tx, context, { kind: 'question.translated', subject: { kind: 'question', id }, changes })
  }
}

async function replaceTexts(
  tx: Tx,
  { owner, id, language }: { owner: TextOwner; id: number; language: string },
  texts: readonly { field: string; text: string; original: string }[],
): Promise<void> {
  const column = COLUMNS[owner]
  await tx.deleteFrom('translated_text').where(column, '=', id).where('language', '=', language).execute()
  if (texts.length)
    await tx
      .insertInto('translated_text')
      .values(texts.map((text) => ({ ...text, language, [column]: id })))
      .execute()
}

/** With a copy of an event. */
export async function copyTexts(tx: Tx, { from, to }: { from: number; to: number }): Promise<void> {
  await sql`insert into translated_text (event_id, language, field, original, text)
    select ${to}, language, field, original, text from translated_text where event_id = ${from}`.execute(tx)
}
