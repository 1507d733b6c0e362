import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { Context, Decision, Person, Reader, Work, Writer } from '#extension'
import { changeableBy, visibleTo } from '#features/events/events/access.ts'
import { isBeyondLimits, saveCardsIn } from '#features/staffing/disposition/commands/board.ts'
import { getChangeableEventOf, getReachableEventOf } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import { readSignupRules } from '#features/staffing/staffing/flows/registry.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import { type Actor, hasPermission, isStaff } from '#platform/auth/actor.ts'
import type { CommandContext, RequestContext } from '#platform/auth/context.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { wordOf } from '../rules/names.ts'
import { within } from './guard.ts'
import { notify } from './notify.ts'
import { getSettingsOf } from './settings.ts'

export const readerOf = (db: Kysely<DB>): Reader => ({
  query: async <Row>(statement: string, values: readonly unknown[] = []) =>
    (await db.executeQuery<Row>(CompiledQuery.raw(statement, [...values]))).rows,
})

function personOf(actor: Actor): Person | undefined {
  if (actor.kind !== 'user') return undefined
  return {
    id: actor.userId,
    name: actor.displayName,
    isStaff: isStaff(actor),
    may: (permission) => hasPermission(actor, permission as Permission),
  }
}

/** The texts of an extension. Its keys have a prefix, so that it shows its own texts only. */
export const textsOf = (name: string, words: Words): Context['t'] => {
  const t = words.t as (key: string, values?: Record<string, string | number>) => string
  return (key, values) => t(wordOf(name, key), values)
}

type Reading = Pick<RequestContext, 'db' | 'actor' | 'now' | 'words' | 'site'>

/** What code of an extension gets to read with. */
export function contextFor(name: string, { db, actor, now, words, site }: Reading): Context {
  return {
    now,
    timeZone: words.timeZone,
    language: words.language,
    t: textsOf(name, words),
    dateTime: words.dateTime,
    db: readerOf(db),
    person: personOf(actor),
    maySeeShift: async (id) =>
      (await getReachableEventOf(db, actor, id)) !== undefined || (await getChangeableEventOf(db, actor, id)) !== undefined,
    getSignUp: (id) => getSignUp(db, id, words.timeZone),
    mayChangeShift: async (id) => (await getChangeableEventOf(db, actor, id)) !== undefined,
    findShifts: (time) => findShiftsOf(db, actor, time),
    getSettings: () => getSettingsOf(db, site.keyring, name),
  }
}

const findShiftsOf = (db: Kysely<DB>, actor: Actor, { from, to }: { from: Date; to: Date }) =>
  rowsOf(db).all(sql<{ id: number; mayChange: boolean }>`
    select s.id, ${changeableBy(actor)} as "mayChange" from shift s join event e on e.id = s.event_id
    where s.start_time < ${to} and s.end_time > ${from} and (${visibleTo(actor)} or e.listed and ${changeableBy(actor)})
    order by s.start_time, s.id`)

async function getSignUp(db: Kysely<DB>, id: number, timeZone: string): ReturnType<Context['getSignUp']> {
  const shift = await rowsOf(db).first(sql<Parameters<typeof readSignupRules>[0]>`
    select s.start_time as start, s.end_time as end, s.signup_flow_slug as "flowSlug", s.signup_flow_configuration as "flowConfiguration"
    from shift s where s.id = ${id}`)
  const rules = shift && readSignupRules(shift, timeZone)
  return rules && !rules.selfServiceRefusal ? { opensAt: rules.opensAt, closesAt: rules.closesAt } : undefined
}

/** For what changes something. `limitMs`: of one transaction, which would otherwise stay open with code that never ends. */
export function workFor(name: string, command: CommandContext, words: Words, limitMs: number): Work {
  return {
    ...contextFor(name, { ...command, words }),
    change: (work) => transact(command.db, (tx) => within(limitMs, () => work(writerOf(tx, name, command)))),
  }
}

const writerOf = (tx: Tx, name: string, command: CommandContext): Writer => ({
  ...readerOf(tx),
  decide: (shiftId, decisions) => decide(tx, command, shiftId, decisions),
  notify: (news) => notify(tx, command, name, news),
})

/** By the command of the board, with its checks of the person who acts. */
async function decide(
  tx: Tx,
  command: CommandContext,
  shiftId: number,
  decisions: readonly Decision[],
): ReturnType<Writer['decide']> {
  const cards = decisions.map(({ personId, to }) => ({
    shiftId,
    who: { kind: 'local' as const, id: personId },
    to: to === 'confirmed' ? STATE.confirmed : STATE.rejectedByResponsible,
    cause: 'extension',
  }))
  if (!cards.length) return { beyondLimits: [] }
  const outcomes = await saveCardsIn(tx, { ...command, db: tx }, cards)
  const beyondLimits = decisions.filter((_, index) => isBeyondLimits(outcomes[index]!)).map(({ personId }) => personId)
  if (outcomes.filter(({ kind }) => kind !== 'saved').length > beyondLimits.length) throw new Problem('conflict')
  return { beyondLimits }
}
