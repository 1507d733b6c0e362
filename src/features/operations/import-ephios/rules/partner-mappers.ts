import type { ImportContext, TableMapper, Target } from './import-context.ts'
import { clean, cut, parseDay, parseTime, type SourceRow, text, timeOr } from './values.ts'

const INVITE_CODE_MS = 48 * 3600_000

const makeName = (row: SourceRow, fallback: string): string => cut(clean(row.display_name ?? row.name), 254).trim() || fallback
const parseUrl = (row: SourceRow): string => cut(clean(row.url), 200)

export const PARTNER_MAPPERS: TableMapper[] = [
  {
    source: 'federation_federatedguest',
    map: (row, context) => {
      context.add('federation_federatedguest', row.id as number)
      const values = {
        id: row.id!,
        name: makeName(row, parseUrl(row)),
        url: parseUrl(row),
        client_id: cut(clean(row.client_id), 255),
        client_secret_sealed: context.secrets.seal(text(row.client_secret)),
        created_at: context.now,
      }
      return [{ table: 'federated_guest', values }]
    },
  },
  {
    source: 'federation_invitecode',
    map: (row, context) => {
      const created = parseTime(row.created_at)
      const code = text(row.code)
      if (created === undefined || !code || !context.isFirst('federation_invitecode', code)) {
        context.noteSkipped('federation_invitecode', row.id, 'has no valid time or no unique code')
        return []
      }
      const values = {
        id: row.id!,
        url: parseUrl(row),
        code_hash: context.secrets.hash(code),
        code_sealed: context.secrets.seal(code),
        created_at: row.created_at!,
        expires_at: new Date(created + INVITE_CODE_MS).toISOString(),
      }
      return [{ table: 'invite_code', values }]
    },
  },
  {
    source: 'federation_federateduser',
    map: (row, context) => {
      const table = 'federation_federateduser'
      if (!context.hasReferences(table, row, [['federation_federatedguest', row.federated_instance_id]])) return []
      context.add(table, row.id as number)
      const values = {
        id: row.id!,
        federated_guest_id: row.federated_instance_id!,
        email: cut(clean(row.email), 254),
        display_name: makeName(row, `Visitor ${row.id}`),
        date_of_birth: parseDay(row.date_of_birth) ?? null,
        phone: cut(clean(row.phone), 254) || null,
        created_at: timeOr(row.created_at, context.now),
      }
      return [{ table: 'visitor', values }]
    },
  },
  makeQualificationMapper(
    'federation_federateduser_qualifications',
    'visitor_qualification',
    'federation_federateduser',
    'federateduser_id',
    'visitor_id',
  ),
]

export const HOST_MAPPER: TableMapper = {
  source: 'federation_federatedhost',
  map: (row, context) => {
    const table = 'federation_federatedhost'
    if (!context.isUnique(table, row, parseUrl(row))) return []
    const values = {
      id: row.id!,
      name: makeName(row, parseUrl(row)),
      url: parseUrl(row),
      access_token_sealed: context.secrets.seal(text(row.access_token)),
      application_id: context.has('api_application', row.oauth_application_id) ? row.oauth_application_id : null,
      created_at: context.now,
    }
    if (values.application_id === null)
      context.noteRepaired(
        table,
        row.id,
        'its OAuth application does not exist; connect the instances again before people can sign up there',
      )
    return [{ table: 'federated_host', values }]
  },
}

export const makeShareMappers = (eventOfShare: ReadonlyMap<number, number>): TableMapper[] => [
  {
    source: 'federation_federatedeventshare',
    map: (row, context) => {
      context.hasReferences('federation_federatedeventshare', row, [['event', row.event_id]])
      return []
    },
  },
  {
    source: 'federation_federatedeventshare_shared_with',
    map: (row, context) => {
      const table = 'federation_federatedeventshare_shared_with'
      const event = eventOfShare.get(row.federatedeventshare_id as number) ?? null
      const isComplete = context.hasReferences(table, row, [
        ['event', event],
        ['federation_federatedguest', row.federatedguest_id],
      ])
      if (!isComplete || !context.isUnique(table, row, text(event), text(row.federatedguest_id))) return []
      return [
        {
          table: 'event_share',
          values: { event_id: event!, federated_guest_id: row.federatedguest_id!, shared_at: context.now },
        },
      ]
    },
  },
]

export const GUEST_MAPPERS: TableMapper[] = [
  {
    source: 'guests_eventguestshare',
    map: (row, context) => {
      const table = 'guests_eventguestshare'
      if (!context.hasReferences(table, row, [['event', row.event_id]]) || !context.isUnique(table, row, text(row.event_id)))
        return []
      const token = text(row.token)
      if (!token || !context.isFirst(table, 'token', token)) {
        context.noteSkipped(table, row.id, 'has no unique link')
        return []
      }
      const values = {
        event_id: row.event_id!,
        token_hash: context.secrets.hash(token),
        token_sealed: context.secrets.seal(token),
        active: row.active === true,
      }
      return [{ table: 'guest_share', values }]
    },
  },
  {
    source: 'guests_guestuser',
    map: (row, context) => {
      const table = 'guests_guestuser'
      if (!context.hasReferences(table, row, [['event', row.event_id]])) return []
      const birth = parseDay(row.date_of_birth)
      if (!birth) {
        context.noteSkipped(table, row.id, 'has no valid date of birth')
        return []
      }
      if (!context.isUnique(table, row, text(row.event_id), text(row.email).toLowerCase())) return []
      const isUnique = Boolean(row.access_token) && context.isFirst(table, 'token', text(row.access_token))
      if (!isUnique) context.noteRepaired(table, row.id, 'has no unique link; it needs a new one')
      const token = isUnique ? text(row.access_token) : context.secrets.seal('unused link')
      context.add(table, row.id as number)
      const values = {
        id: row.id!,
        event_id: row.event_id!,
        email: cut(clean(row.email), 254),
        display_name: makeName(row, `Guest ${row.id}`),
        date_of_birth: birth,
        phone: cut(clean(row.phone), 254) || null,
        access_token_hash: context.secrets.hash(token),
        access_token_sealed: isUnique ? context.secrets.seal(token) : null,
        created_at: timeOr(row.created_at, context.now),
        // Guests of ephios had all rights without a proof of their address.
        email_confirmed_at: timeOr(row.created_at, context.now),
      }
      return [{ table: 'guest', values }]
    },
  },
  makeQualificationMapper(
    'guests_guestuser_qualifications',
    'guest_qualification',
    'guests_guestuser',
    'guestuser_id',
    'guest_id',
    // Qualifications of guests counted in ephios without a further check.
    ({ now }) => ({ verified_at: now }),
  ),
]

function makeQualificationMapper(
  source: string,
  table: string,
  ownerSource: string,
  column: string,
  targetColumn: string,
  more: (context: ImportContext) => Target['values'] = () => ({}),
): TableMapper {
  return {
    source,
    map: (row, context) => {
      const isComplete = context.hasReferences(source, row, [
        [ownerSource, row[column]],
        ['qualification', row.qualification_id],
      ])
      if (!isComplete || !context.isUnique(source, row, text(row[column]), text(row.qualification_id))) return []
      return [{ table, values: { [targetColumn]: row[column]!, qualification_id: row.qualification_id!, ...more(context) } }]
    },
  }
}
