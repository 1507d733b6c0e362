import type { TableMapper } from './import-context.ts'
import { clean, cut, parseObject, text } from './values.ts'

const MAX_ADDRESS_LENGTH = 500

/** Only pairs of texts; ephios does not check what administrators enter. */
function readUuids(value: Parameters<typeof parseObject>[0]): Record<string, string> {
  const parsed = parseObject(value)
  const pairs = parsed ? Object.entries(JSON.parse(parsed.json) as Record<string, unknown>) : []
  return Object.fromEntries(pairs.flatMap(([name, uuid]) => (typeof uuid === 'string' ? [[name, uuid.toLowerCase()]] : [])))
}

export const PROVIDER_MAPPERS: TableMapper[] = [
  {
    source: 'core_identityprovider',
    map: (row, context) => {
      const table = 'core_identityprovider'
      const address = (name: string) => cut(clean(row[name]).trim(), MAX_ADDRESS_LENGTH)
      const clientId = cut(clean(row.client_id), 255)
      const [authorization, token] = [address('authorization_endpoint'), address('token_endpoint')]
      if (!clientId || !authorization || !token) {
        context.noteSkipped(table, row.id, 'has no client id or no endpoints')
        return []
      }
      const given = cut(clean(row.internal_name).trim(), 255) || `provider-${row.id}`
      const isUnique = context.isFirst(table, given)
      if (!isUnique) context.noteRepaired(table, row.id, 'duplicate internal name replaced')
      context.add(table, row.id as number)
      const values = {
        id: row.id!,
        internal_name: isUnique ? given : `provider-${row.id}`,
        label: cut(clean(row.label).trim(), 255) || `Provider ${row.id}`,
        client_id: clientId,
        client_secret_sealed: text(row.client_secret) ? context.secrets.seal(text(row.client_secret)) : null,
        scopes: cut(clean(row.scopes).trim(), 255) || 'openid profile email',
        authorization_endpoint: authorization,
        token_endpoint: token,
        userinfo_endpoint: address('userinfo_endpoint') || null,
        end_session_endpoint: address('end_session_endpoint') || null,
        jwks_uri: address('jwks_uri') || null,
        group_claim: cut(clean(row.group_claim).trim(), 254),
        // There, names give groups with rights: their members stay until an administrator has chosen the values.
        keeps_named_groups: cut(clean(row.group_claim).trim(), 254) !== '',
        create_missing_groups: row.create_missing_groups === true,
        qualification_claim: cut(clean(row.qualification_claim).trim(), 254),
        qualification_uuids: { json: JSON.stringify(readUuids(row.qualification_codename_to_uuid)) },
        // Providers of ephios have no switch: they work as soon as they exist.
        enabled: true,
      }
      return [{ table: 'identity_provider', values }]
    },
  },
  {
    source: 'core_identityprovider_default_groups',
    map: (row, context) => {
      const table = 'core_identityprovider_default_groups'
      const isComplete = context.hasReferences(table, row, [
        ['core_identityprovider', row.identityprovider_id],
        ['auth_group', row.group_id],
      ])
      if (!isComplete || !context.isUnique(table, row, text(row.identityprovider_id), text(row.group_id))) return []
      const values = { identity_provider_id: row.identityprovider_id!, group_id: row.group_id! }
      return [{ table: 'identity_provider_group', values }]
    },
  },
]
