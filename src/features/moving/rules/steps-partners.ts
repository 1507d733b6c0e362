import { clean, cut, dayIn, instant, type SourceRow, type Step, text, timeOr } from './book.ts'
import { linked } from './steps-people.ts'

const INVITE_HOURS = 48
const iso = (at: number): string => new Date(at).toISOString()

const named = (row: SourceRow, fallback: string): string => cut(clean(row.display_name ?? row.name), 254).trim() || fallback
const addressOf = (row: SourceRow): string => cut(clean(row.url), 200)

export const PARTNER_STEPS: Step[] = [
  {
    source: 'federation_federatedguest',
    take: (row, book) => {
      book.add('federation_federatedguest', row.id as number)
      const values = {
        id: row.id!,
        name: cut(named(row, addressOf(row)), 255),
        url: addressOf(row),
        client_id: cut(clean(row.client_id), 255),
        client_secret_sealed: book.secrets.seal(text(row.client_secret)),
        created_at: book.now,
      }
      return [{ table: 'federated_guest', values }]
    },
  },
  {
    source: 'federation_invitecode',
    take: (row, book) => {
      const created = instant(row.created_at)
      const code = text(row.code)
      if (created === undefined || !code || !book.isFirst('federation_invitecode', code)) {
        book.leftOut('federation_invitecode', row.id, 'has no time or no code of its own')
        return []
      }
      const values = {
        id: row.id!,
        url: addressOf(row),
        code_hash: book.secrets.hash(code),
        code_sealed: book.secrets.seal(code),
        created_at: row.created_at!,
        expires_at: iso(created + INVITE_HOURS * 3600_000),
      }
      return [{ table: 'invite_code', values }]
    },
  },
  {
    source: 'federation_federateduser',
    take: (row, book) => {
      const table = 'federation_federateduser'
      if (!linked(book, table, row, [['federation_federatedguest', row.federated_instance_id]])) return []
      book.add(table, row.id as number)
      const values = {
        id: row.id!,
        federated_guest_id: row.federated_instance_id!,
        email: cut(clean(row.email), 254),
        display_name: named(row, `Visitor ${row.id}`),
        date_of_birth: dayIn(row.date_of_birth) ?? null,
        phone: cut(clean(row.phone), 254) || null,
        created_at: timeOr(row.created_at, book.now),
      }
      return [{ table: 'visitor', values }]
    },
  },
  qualificationsOf(
    'federation_federateduser_qualifications',
    'visitor_qualification',
    'federation_federateduser',
    'federateduser_id',
    'visitor_id',
  ),
]

export const HOST_STEP: Step = {
  source: 'federation_federatedhost',
  take: (row, book) => {
    const table = 'federation_federatedhost'
    if (!book.isNew(table, row, addressOf(row))) return []
    const values = {
      id: row.id!,
      name: cut(named(row, addressOf(row)), 255),
      url: addressOf(row),
      access_token_sealed: book.secrets.seal(text(row.access_token)),
      application_id: book.has('api_application', row.oauth_application_id) ? row.oauth_application_id : null,
      created_at: book.now,
    }
    if (values.application_id === null)
      book.repaired(table, row.id, 'has lost its application; the link must be made anew before people can visit')
    return [{ table: 'federated_host', values }]
  },
}

/** `eventOfShare` by the number of the share. */
export const shareSteps = (eventOfShare: ReadonlyMap<number, number>): Step[] => [
  {
    source: 'federation_federatedeventshare',
    take: (row, book) => {
      linked(book, 'federation_federatedeventshare', row, [['event', row.event_id]])
      return []
    },
  },
  {
    source: 'federation_federatedeventshare_shared_with',
    take: (row, book) => {
      const table = 'federation_federatedeventshare_shared_with'
      const event = eventOfShare.get(row.federatedeventshare_id as number) ?? null
      const isThere = linked(book, table, row, [
        ['event', event],
        ['federation_federatedguest', row.federatedguest_id],
      ])
      if (!isThere || !book.isNew(table, row, text(event), text(row.federatedguest_id))) return []
      return [
        { table: 'event_share', values: { event_id: event!, federated_guest_id: row.federatedguest_id!, shared_at: book.now } },
      ]
    },
  },
]

export const GUEST_STEPS: Step[] = [
  {
    source: 'guests_eventguestshare',
    take: (row, book) => {
      const table = 'guests_eventguestshare'
      if (!linked(book, table, row, [['event', row.event_id]]) || !book.isNew(table, row, text(row.event_id))) return []
      const token = text(row.token)
      if (!token || !book.isFirst(table, 'token', token)) {
        book.leftOut(table, row.id, 'has no link of its own')
        return []
      }
      const values = {
        event_id: row.event_id!,
        token_hash: book.secrets.hash(token),
        token_sealed: book.secrets.seal(token),
        active: row.active === true,
      }
      return [{ table: 'guest_share', values }]
    },
  },
  {
    source: 'guests_guestuser',
    take: (row, book) => {
      const table = 'guests_guestuser'
      if (!linked(book, table, row, [['event', row.event_id]])) return []
      const birth = dayIn(row.date_of_birth)
      if (!birth) {
        book.leftOut(table, row.id, 'has no date of birth')
        return []
      }
      if (!book.isNew(table, row, text(row.event_id), text(row.email).toLowerCase())) return []
      const isOwn = Boolean(row.access_token) && book.isFirst(table, 'token', text(row.access_token))
      if (!isOwn) book.repaired(table, row.id, 'has no link of its own; it needs a new one')
      const token = isOwn ? text(row.access_token) : book.secrets.seal('a link that nobody has')
      book.add(table, row.id as number)
      const values = {
        id: row.id!,
        event_id: row.event_id!,
        email: cut(clean(row.email), 254),
        display_name: named(row, `Guest ${row.id}`),
        date_of_birth: birth,
        phone: cut(clean(row.phone), 254) || null,
        access_token_hash: book.secrets.hash(token),
        created_at: timeOr(row.created_at, book.now),
      }
      return [{ table: 'guest', values }]
    },
  },
  qualificationsOf('guests_guestuser_qualifications', 'guest_qualification', 'guests_guestuser', 'guestuser_id', 'guest_id'),
]

function qualificationsOf(source: string, table: string, own: string, column: string, target: string): Step {
  return {
    source,
    take: (row, book) => {
      const isThere = linked(book, source, row, [
        [own, row[column]],
        ['qualification', row.qualification_id],
      ])
      if (!isThere || !book.isNew(source, row, text(row[column]), text(row.qualification_id))) return []
      return [{ table, values: { [target]: row[column]!, qualification_id: row.qualification_id! } }]
    },
  }
}
