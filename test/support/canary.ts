import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import { queueAccountMail } from '#features/access/sign-in/commands/links.ts'
import type { Keyring } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import { transact } from '#platform/db/transaction.ts'
import { ANN, BEN, HELPERS, type Person, PLANNERS } from './people.ts'
import type { World } from './world.ts'

export const CANARY = {
  name: 'Zacharias Canarius',
  email: 'zacharias.canarius@canary.example',
  phone: '+49 170 5550199',
  dateOfBirth: '1971-02-03',
  formerName: 'Zacharias Olderson',
  formerEmail: 'olderson@canary.example',
}
/** Finds every trace of the canary in a text. */
export const TRACES = /zacharias|canarius|canary\.example|olderson|170 5550199|1971-02-03/gi

export type CanaryWorld = {
  person: Person
  events: { past: number; future: number }
  shifts: { past: number; future: number }
  fileIds: string[]
}

/** A person with rows in every table that refers to people, and with their name in texts and logs. */
export async function addCanary(world: World, overrides: Partial<Person> = {}): Promise<CanaryWorld> {
  const { write } = world.db
  const person = await world.addPerson({
    name: CANARY.name,
    email: CANARY.email,
    phone: CANARY.phone,
    dateOfBirth: CANARY.dateOfBirth,
    ...overrides,
  })
  const { id } = person
  const now = world.now
  const later = new Date(now.getTime() + 30 * 86_400_000)
  const hash = () => randomBytes(32)
  const past = await world.addEvent({ title: 'Past run', seenBy: [HELPERS], shifts: [{ start: '2031-04-01T08:00:00Z' }] })
  const future = await world.addEvent({
    title: 'Next run',
    seenBy: [HELPERS],
    responsible: [person],
    shifts: [{ start: '2031-06-01T08:00:00Z' }],
  })
  const { seal } = world.app.site.keyring
  const one = async (query: ReturnType<typeof sql<{ id: number }>>): Promise<number> => (await query.execute(write)).rows[0]!.id
  const run = (query: ReturnType<typeof sql>) => query.execute(write)

  await run(sql`insert into user_group_member (group_id, user_id) values (${HELPERS.id}, ${id})`)
  await run(sql`insert into user_permission (user_id, permission) values (${id}, 'add_event')`)
  await world.holds(person, await world.addQualification(`Cook ${id}`))
  await run(sql`insert into profile_group_grant (user_id, group_id) values (${id}, ${PLANNERS.id})`)
  await run(sql`insert into profile_user_grant (user_id, viewer_id) values (${id}, ${ANN.id}), (${ANN.id}, ${id})`)

  await run(
    sql`insert into guardianship (guardian_id, child_id, since, granted_by_id) values (${id}, ${ANN.id}, ${now}, ${id}), (${BEN.id}, ${id}, ${now}, ${ANN.id}), (${BEN.id}, ${ANN.id}, ${now}, ${id})`,
  )

  const own = await world.addParticipation({
    who: person,
    shift: past.shifts[0]!,
    state: 1,
    comments: [
      { text: `${CANARY.name} limps`, level: 1 },
      { text: 'Call 0170', level: 0, by: ANN },
    ],
  })
  await world.addParticipation({ who: person, shift: future.shifts[0]!, state: 1 })
  // Typed names are personal data, too: this one contains the name of the person.
  const companion = await world.addParticipation({
    who: { placeholder: `Son of ${CANARY.name}` },
    shift: past.shifts[0]!,
    state: 1,
  })
  await run(sql`update participation set brought_by_id = ${own} where id = ${companion}`)
  const others = await world.addParticipation({ who: ANN, shift: past.shifts[0]!, state: 1 })
  await run(sql`insert into participation_comment (participation_id, text, visible_for, author_kind, author_id, created_at)
    values (${others}, ${`On time. ${CANARY.name}, ${CANARY.phone}`}, 0, 'responsible', ${id}, ${now})`)
  const question = await one(
    sql`insert into question (name, kind, text) values ('Diet', 'text', 'What do you eat?') returning id`,
  )
  await run(sql`insert into answer (participation_id, question_id, value) values (${own}, ${question}, '"No nuts, Canarius"')`)
  await run(sql`insert into place_basis (participation_id, was_qualified) values (${own}, true)`)
  await run(sql`insert into saved_answer (user_id, question_id, value) values (${id}, ${question}, '"No nuts, Canarius"')`)

  const request = await one(sql`insert into decision_request (user_id, kind, data, comment, state, created_at)
    values (${id}, 'qualification', ${JSON.stringify({ by: CANARY.name })}, ${CANARY.email}, 'open', ${now}) returning id`)
  await run(sql`insert into decision_request (user_id, kind, data, state, created_at, decided_at, decided_by_id)
    values (${ANN.id}, 'working_hours', '{}', 'granted', ${now}, ${now}, ${id})`)
  await run(
    sql`insert into working_hours (user_id, hours, reason, date, request_id) values (${id}, 3.5, ${`${CANARY.name} helped`}, '2031-04-01', null)`,
  )
  const fileIds = [randomUUID(), randomUUID()]
  for (const [index, fileId] of fileIds.entries()) {
    await world.files.put(fileId, Readable.from([Buffer.from(`file ${index} of ${index ? 'an event' : CANARY.name}`)]))
    await run(sql`insert into stored_file (id, name, content_type, bytes, sha256, created_at)
      values (${fileId}, ${index ? `plan-${id}.pdf` : `proof of ${CANARY.name}.pdf`}, 'application/pdf', 20, ${hash()}, ${now})`)
  }
  await run(sql`insert into qualification_proof (request_id, file_id) values (${request}, ${fileIds[0]})`)
  await run(sql`insert into attachment (title, file_id, uploader_id) values ('Plan', ${fileIds[1]}, ${id})`)

  await run(sql`insert into event_type_default_user (event_type_id, user_id) values (1, ${id})`)
  await run(sql`update event set created_by_id = ${id} where id = ${past.id}`)
  await run(sql`insert into event_message (event_id, author_id, subject, text, created_at)
    values (${past.id}, ${id}, ${`News from ${CANARY.name}`}, ${`Write to ${CANARY.email}`}, ${now})`)
  const notify = (column: 'user_id' | 'actor_id') => sql`
    insert into notification (${sql.ref(column)}, ${column === 'user_id' ? sql`kind` : sql`user_id, kind`}, source, bundle, data, created_at, next_attempt_at, mail, mail_reason)
    values (${id}, ${column === 'user_id' ? sql`'reminder'` : sql`${ANN.id}, 'reminder'`}, ${`test:${column}:${id}`}, 'b', '{}', ${now}, ${now}, 'failed', ${`550 <${CANARY.email}> unknown`})`
  await run(notify('user_id'))
  await run(notify('actor_id'))
  await run(sql`insert into push_device (user_id, endpoint, p256dh, auth, user_agent, device_hash, created_at)
    values (${id}, ${`https://push.example/${id}`}, 'p', 'a', 'Firefox', ${hash()}, ${now})`)
  await run(sql`insert into channel_link (user_id, channel, address, label, linked_at)
    values (${id}, 'x_chat_telegram', ${`chat ${id}`}, ${CANARY.name}, ${now})`)
  await run(sql`insert into channel_code (user_id, channel, code_hash, code_sealed, expires_at)
    values (${id}, 'x_chat_telegram', ${hash()}, 'sealed', ${later})`)
  const session = hash()
  await run(
    sql`insert into session (id_hash, user_id, created_at, last_seen_at, expires_at, user_agent) values (${session}, ${id}, ${now}, ${now}, ${later}, 'Firefox')`,
  )
  await run(sql`with of_ann as (insert into session (id_hash, user_id, created_at, last_seen_at, expires_at)
      values (${hash()}, ${ANN.id}, ${now}, ${now}, ${later}) returning id_hash)
    insert into viewing (session_hash, user_id, expires_at) select id_hash, ${id}, ${later} from of_ann`)
  await run(
    sql`insert into known_device (device_hash, user_id, created_at, last_used_at) values (${hash()}, ${id}, ${now}, ${now})`,
  )
  await run(
    sql`insert into one_time_link (token_hash, purpose, user_id, created_at, expires_at) values (${hash()}, 'reset_password', ${id}, ${now}, ${later})`,
  )
  const provider =
    await one(sql`insert into identity_provider (internal_name, label, client_id, authorization_endpoint, token_endpoint)
    values (${`idp${id}`}, 'Idp', 'c', 'https://idp.example/a', 'https://idp.example/t') returning id`)
  await run(
    sql`insert into external_identity (identity_provider_id, issuer, subject, user_id) values (${provider}, 'https://idp.example', ${CANARY.email + id}, ${id})`,
  )
  await run(
    sql`insert into external_session (session_hash, identity_provider_id, id_token_sealed) values (${session}, ${provider}, ${seal(`{"email":"${CANARY.email}"}`)})`,
  )
  await run(
    sql`insert into totp_factor (user_id, secret_sealed, last_step, created_at) values (${id}, ${seal(CANARY.name)}, 1, ${now})`,
  )
  await run(sql`insert into recovery_code (user_id, code_hash, created_at) values (${id}, ${hash()}, ${now})`)
  await run(sql`insert into passkey (user_id, credential_id, public_key, user_handle, sign_count, is_synced, is_backed_up, name, created_at)
    values (${id}, ${hash()}, ${hash()}, ${hash()}, 0, false, false, ${`Phone of ${CANARY.name}`}, ${now})`)
  await run(sql`insert into trusted_device (user_id, device_hash, trusted_until) values (${id}, ${hash()}, ${later})`)
  await run(sql`insert into second_factor_duty (user_id, since) values (${id}, ${now})`)
  await run(sql`insert into pending_sign_in (id_hash, user_id, device_hash, next, created_at, expires_at, proved_at, identity_provider_id, id_token_sealed)
    values (${hash()}, ${id}, ${hash()}, '/', ${now}, ${later}, ${now}, ${provider}, ${seal(`{"email":"${CANARY.email}"}`)})`)
  await run(sql`insert into join_link (group_id, token_hash, token_sealed, needs_approval, max_uses, created_by_id, created_at, expires_at)
    values (${HELPERS.id}, ${hash()}, 's', true, 5, ${id}, ${now}, ${later})`)
  await run(sql`insert into registration (email, display_name, date_of_birth, language, password_hash, created_at, expires_at)
    values (${CANARY.email}, ${CANARY.name}, ${CANARY.dateOfBirth}, 'en', 'x', ${now}, ${later})`)
  const action = await one(
    sql`insert into people_action (created_by_id, created_at, kind) values (${id}, ${now}, 'invite') returning id`,
  )
  await run(sql`insert into people_action_person (action_id, user_id) values (${action}, ${id})`)
  const list = await one(sql`insert into people_import (created_by_id, created_at, file_name, format, sheets, settings, state)
    values (${id}, ${now}, 'members.csv', '{}', '[]', '{}', 'applied') returning id`)
  await run(sql`insert into people_import_row (import_id, sheet, number, cells, user_id)
    values (${list}, 0, 2, '["born in May"]', ${id}), (${list}, 0, 3, ${JSON.stringify([CANARY.formerEmail])}, null)`)
  await run(sql`insert into weekly_time (user_id, kind, weekday, from_minute, until_minute) values (${id}, 'can', 1, 0, 60)`)
  await run(sql`insert into day_period (user_id, kind, first_day, last_day) values (${id}, 'cannot', '2031-07-01', '2031-07-02')`)
  const calendar = await one(sql`insert into private_calendar
    (user_id, name, address_sealed, counts_all_day, covers_until, unread_count, last_success_at, next_attempt_at)
    values (${id}, ${`Calendar of ${CANARY.name}`}, ${seal(`https://calendar.example/${CANARY.email}`)}, true, ${later}, 0, ${now}, ${later}) returning id`)
  await run(
    sql`insert into busy_time (calendar_id, start_time, end_time, is_all_day) values (${calendar}, ${now}, ${later}, false)`,
  )
  await run(
    sql`update user_profile set emergency_name = ${`Mother of ${CANARY.name}`}, emergency_phone = ${CANARY.phone} where id = ${id}`,
  )
  const picture = randomUUID()
  await world.files.put(picture, Readable.from([Buffer.from(`picture of ${CANARY.name}`)]))
  await run(sql`insert into stored_file (id, name, content_type, bytes, sha256, created_at)
    values (${picture}, ${`face of ${CANARY.name}.png`}, 'image/png', 20, ${hash()}, ${now})`)
  await run(sql`insert into profile_picture (user_id, file_id) values (${id}, ${picture})`)
  await run(sql`insert into email_failure (user_id, email, failed_at, reason)
    values (${id}, ${CANARY.email}, ${now}, ${`550 5.1.1 no such user ${CANARY.name}`})`)
  await run(sql`insert into email_change (user_id, former_email, new_email, requested_at)
    values (${id}, ${CANARY.formerEmail}, ${CANARY.email}, ${now})`)
  const inquiry = await one(sql`insert into inquiry (shift_id, created_by_id, created_at, wanted, was_short)
    values (${future.shifts[0]!}, ${id}, ${now}, 1, true) returning id`)
  await run(sql`insert into inquiry_person (inquiry_id, user_id, position) values (${inquiry}, ${id}, 1)`)
  await run(sql`insert into attendance (participation_id, arrived_at) values (${own}, ${now})`)
  const mark = (participation: number, by: number) =>
    sql`insert into attendance_mark (id, participation_id, kind, no_show, no_show_before, outcome, source, by_id, made_at, received_at, resolved_by_id)
    values (gen_random_uuid(), ${participation}, 'arrived', false, false, 'applied', 'planner', ${by}, ${now}, ${now}, ${by})`
  await run(mark(own, ANN.id))
  await run(mark(others, id))
  const real = await one(
    sql`insert into attendance_run (event_id, by_id, applied_at, rounding) values (${future.id}, ${id}, ${now}, 0) returning id`,
  )
  await run(
    sql`insert into attendance_result (run_id, participation_id, absent_before, absent_after) values (${real}, ${own}, false, false)`,
  )
  // A shift that was cancelled, with rows of the person and texts that name them.
  await run(sql`insert into removed_shift (id, event_id, is_cancelled, reason, removed_at, removed_by_id, label, meeting_time, start_time, end_time, row)
    values (${900_000 + id}, ${future.id}, true, ${`${CANARY.name} is ill`}, ${now}, ${id}, 'Desk', ${later}, ${later}, ${later}, '{}')`)
  await run(sql`insert into removed_participation (id, removed_shift_id, shift_id, user_id, state, start_time, end_time, row)
    values (${900_000 + id}, ${900_000 + id}, ${900_000 + id}, ${id}, 1, ${later}, ${later}, '{}'),
      (${910_000 + id}, ${900_000 + id}, ${900_000 + id}, null, 1, ${later}, ${later}, ${JSON.stringify({ brought_by_id: 900_000 + id, placeholder_name: `Son of ${CANARY.name}` })})`)
  await run(sql`insert into removed_row (removed_shift_id, participation_id, user_id, table_name, row)
    values (${900_000 + id}, ${900_000 + id}, null, 'participation_comment', ${JSON.stringify({ text: `${CANARY.name} limps` })}),
      (${900_000 + id}, null, ${id}, 'waiting_entry', ${JSON.stringify({ user_id: id, reason: CANARY.name })}),
      (${900_000 + id}, null, null, 'participation_comment', ${JSON.stringify({ author_id: id, text: `Ask ${CANARY.name}` })})`)
  await run(sql`insert into waiting_entry (shift_id, user_id, since) values (${future.shifts[0]!}, ${id}, ${now})`)
  await run(sql`insert into waiting_entry (shift_id, user_id, since, offered_by_id)
    select ${future.shifts[0]!}, min(u.id), ${now}, ${id} from user_profile u where u.id <> ${id}`)
  const template = await one(sql`insert into event_template (name, content, created_at, changed_at)
    values ('Template', '{"groups": [], "shifts": []}', ${now}, ${now}) returning id`)
  await run(sql`insert into event_template_user (template_id, user_id) values (${template}, ${id})`)
  const search = (place: number, who: number, by: number) => sql<{
    id: number
  }>`insert into stand_in (shift_id, participation_id, user_id, created_at, taken_by_id, decided_by_id)
    select p.shift_id, p.id, ${who}, ${now}, ${by}, ${by} from participation p where p.id = ${place} returning id`
  const sought = await one(search(own, id, ANN.id))
  const byOther = await one(search(others, ANN.id, id))
  await run(
    sql`insert into stand_in_person (stand_in_id, user_id, asked_at) values (${sought}, ${ANN.id}, ${now}), (${byOther}, ${id}, ${now})`,
  )
  const swap = (first: number, second: number, by: number) =>
    sql`insert into swap (user_id, shift_id, participation_id, other_id, other_shift_id, other_participation_id, created_at, expires_at, decided_by_id, other_decided_by_id)
    select a.user_id, a.shift_id, a.id, b.user_id, b.shift_id, b.id, ${now}, ${now}, ${by}, ${by}
    from participation a, participation b where a.id = ${first} and b.id = ${second}`
  await run(swap(own, others, ANN.id))
  await run(swap(others, own, ANN.id))
  await run(swap(others, others, id))
  await run(sql`insert into programme (event_id, url, format, content, options, read_at, automatic_by_id)
    values (${future.id}, 'https://programme.example/', 'ical', '{"sessions": [], "faults": []}', '{}', ${now}, ${id})`)
  await run(sql`insert into fill_run (user_id, applied_at) values (${id}, ${now})`)
  await world.makeToken(person, ['ME_READ'])
  const application =
    await one(sql`insert into oauth_application (name, client_id, client_secret_hash, redirect_uris, allowed_scopes, created_by_id)
    values ('App', ${`app${id}`}, 'x', '{https://app.example}', '{ME_READ}', ${id}) returning id`)
  await run(
    sql`insert into oauth_consent (user_id, application_id, scopes, granted_at) values (${id}, ${application}, '{ME_READ}', ${now})`,
  )
  const grant = await one(
    sql`insert into oauth_grant (user_id, application_id, id_hash, scopes, payload) values (${id}, ${application}, ${hash()}, '{ME_READ}', '{}') returning id`,
  )
  await run(
    sql`insert into oauth_object (model, id_hash, user_id, application_id, grant_id, payload) values ('RefreshToken', ${hash()}, ${id}, ${application}, ${grant}, ${JSON.stringify({ name: CANARY.name })})`,
  )
  const service = await world.addPerson({ name: `Service ${id}` })
  await run(
    sql`update user_profile set is_service_account = true, is_visible = false, email_invalid = true, email = ${`service-${service.id}@service.invalid`} where id = ${service.id}`,
  )
  await run(
    sql`insert into service_account (user_id, scopes, created_at, created_by_id) values (${service.id}, '{PUBLIC_READ}', ${now}, ${id})`,
  )
  const key = (userId: number) => sql`insert into idempotency_key (user_id, key, request_hash, status, headers, body, created_at)
    values (${userId}, ${`key-${id}`}, ${hash()}, 201, '{}', ${seal(JSON.stringify({ display_name: CANARY.name, email: CANARY.email }))}, ${now})`
  await run(key(id))
  await run(key(ANN.id))
  const webhook = (owner: number) => sql<{
    id: number
  }>`insert into webhook (owner_id, name, description, url, kinds, scopes, active, secret_sealed, created_at)
    values (${owner}, 'Hook', '', 'https://hook.example', '{user}', '{PUBLIC_READ}', true, 's', ${now}) returning id`
  await one(webhook(id))
  const hook = await one(webhook(ANN.id))
  await run(sql`insert into webhook_delivery (webhook_id, message_id, kind, record_id, what, body, state, attempts, created_at)
    values (${hook}, ${`m${id}`}, 'user', ${id}, 'changed', ${JSON.stringify({ display_name: CANARY.name })}, 'delivered', 1, ${now})`)
  const host = await one(
    sql`insert into federated_host (name, url, access_token_sealed) values ('Süd', ${`https://sued${id}.example`}, 's') returning id`,
  )
  const abroad = await one(sql`insert into partner_event (host_id, remote_id, title, type_title, location, signup_url, fetched_at)
    values (${host}, 1, 'Abroad', 'T', 'L', 'https://sued.example', ${now}) returning id`)
  await run(sql`insert into participation_abroad (partner_event_id, user_id, remote_shift_id, state, start_time, end_time, fetched_at)
    values (${abroad}, ${id}, 1, 1, ${now}, ${later}, ${now})`)
  await run(sql`insert into partner_event_opening (partner_event_id, user_id, opened_at) values (${abroad}, ${id}, ${now})`)
  await run(sql`insert into denied_statement (user_id, host_id, remote_shift_id, denied_at) values (${id}, ${host}, 1, ${now})`)
  await run(sql`insert into partner_hours (user_id, host_id, host_name, remote_id, remote_shift_id, title, start_time, end_time)
    values (${id}, ${host}, 'Host', ${id}, 1, 'There', ${now}, ${later})`)
  await run(sql`insert into partner_objection (user_id, objected_at) values (${id}, ${now})`)
  await run(
    sql`insert into invite_code (code_hash, code_sealed, url, created_by_id, created_at, expires_at) values (${hash()}, 's', 'https://x.example', ${id}, ${now}, ${later})`,
  )
  await world.addParticipation({ who: { guest: { name: `Guest ${id}` } }, shift: future.shifts[0]!, state: 0 })
  await run(sql`insert into guest_qualification (guest_id, qualification_id, verified_by_id, verified_at)
    select max(g.id), max(q.id), ${id}, ${now} from guest g, qualification q`)
  const log = (values: { actor: number; person: number | null; changes?: object; personal?: object | null }) => sql`
    insert into journal (at, kind, actor_kind, actor_id, subject_kind, subject_id, changes, person_id, personal)
    values (${now}, 'user.changed', 'user', ${values.actor}, 'user', ${id}, ${JSON.stringify(values.changes ?? {})}, ${values.person},
      ${values.personal ? JSON.stringify(values.personal) : null})`
  await run(
    log({
      actor: ANN.id,
      person: id,
      personal: { display_name: [CANARY.formerName, CANARY.name], email: [CANARY.formerEmail, CANARY.email] },
    }),
  )
  await run(log({ actor: id, person: ANN.id, personal: { display_name: ['Ann', 'Anna'] } }))
  await run(log({ actor: ANN.id, person: null, changes: { description: ['', `Ask ${CANARY.formerName}, ${CANARY.phone}`] } }))
  await run(
    sql`insert into moved_in_row (table_name, row_id, row, reason) values ('old_profile', '7', ${JSON.stringify({ mail: CANARY.formerEmail })}, 'unknown')`,
  )
  await run(sql`insert into erasure_request (user_id, requested_at, due_at) values (${id}, ${now}, ${later})`)
  const asking = await world.addPerson({ name: `Asking ${id}` })
  await run(
    sql`insert into erasure_request (user_id, requested_at, due_at, decided_at, decided_by_id) values (${asking.id}, ${now}, ${later}, ${now}, ${id})`,
  )
  await transact(write, async (tx) => {
    await queueAccountMail(tx, { kind: 'welcome', userId: id })
    await queueAccountMail(tx, {
      kind: 'reset_password',
      sealedEmail: seal(CANARY.email),
      at: now.toISOString(),
    })
  })
  return {
    person,
    events: { past: past.id, future: future.id },
    shifts: { past: past.shifts[0]!, future: future.shifts[0]! },
    fileIds,
  }
}

/** As `Keyring.seal` writes it, alone or inside of JSON. */
const SEALED = /\b[0-9a-f]{12}\.[\w-]{38,}/g
const COMPRESSED: [magic: string, expand: (bytes: Buffer) => Buffer][] = [
  ['1f8b', gunzipSync],
  ['78', inflateSync],
  ['28b52ffd', zstdDecompressSync],
]

/** What is sealed, and what is compressed in columns of bytes (`\\x…`), in plain text beside it. */
export function readHidden(text: string, { unseal }: Pick<Keyring, 'unseal'>): string {
  const tryRead = (read: () => string): string[] => {
    try {
      return [read()]
    } catch {
      return []
    }
  }
  const opened = [...text.matchAll(SEALED)].flatMap(([sealed]) => tryRead(() => unseal(sealed)))
  const expanded = [...text.matchAll(/\\x([0-9a-f]{20,})/g)].flatMap(([, hex]) =>
    COMPRESSED.filter(([magic]) => hex!.startsWith(magic)).flatMap(([, expand]) =>
      tryRead(() => expand(Buffer.from(hex!, 'hex')).toString('utf8')),
    ),
  )
  return [text, ...opened, ...expanded].join('\n')
}

/** Every table as text: one line for each row, with bytes decoded, and with a keyring also what is sealed or compressed. */
export async function dumpTables(db: Kysely<DB>, keyring?: Pick<Keyring, 'unseal'>): Promise<Map<string, string>> {
  const { rows: tables } = await sql<{ name: string; bytes: string[] }>`
    select format('%I.%I', n.nspname, c.relname) as name,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and a.atttypid = 'bytea'::regtype) as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'graphile_worker') and c.relkind = 'r' order by 1`.execute(db)
  const parts = tables.map(({ name, bytes }) => {
    const decoded = bytes.map((column) => `encode(t."${column}", 'escape')`)
    return sql`select ${name}::text as name, string_agg(concat_ws(' ', ${sql.raw(['t::text', ...decoded].join(', '))}), chr(10)) as text from ${sql.raw(name)} t`
  })
  const { rows } = await sql<{ name: string; text: string | null }>`${sql.join(parts, sql` union all `)}`.execute(db)
  return new Map(rows.map(({ name, text }) => [name, keyring ? readHidden(text ?? '', keyring) : (text ?? '')]))
}

export const tracesIn = (dump: Map<string, string>): string[] =>
  [...dump].flatMap(([table, text]) => [...new Set(text.match(TRACES) ?? [])].map((found) => `${table}: ${found}`))
