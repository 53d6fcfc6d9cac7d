import { KEY_SCOPES, type KeyScope } from '@domain/access';
import { ActorResponse, toActor } from '@domain/audit';
import { ApiProperty } from '@nestjs/swagger';
import {
  InstantField,
  IntegerField,
  NameField,
  OneOfField,
  OneOfListField,
  SearchPageQuery,
} from '@platform/validation';
import { type KeyKind } from '../key-secret';
import { type StoredKey } from '../schemas/key-record';

const KINDS: readonly KeyKind[] = ['user', 'workspace'];
const KIND = 'workspace: a key of the workspace; user: a platform key of the calling user.';

export class CreateApiKeyRequest {
  @NameField()
  name!: string;

  @OneOfField(KINDS, { optional: true, about: `${KIND} Default: workspace.` })
  kind?: KeyKind;

  @OneOfListField(KEY_SCOPES, { optional: true, about: 'At most the scopes of the calling key. Default: all of them.' })
  scopes?: KeyScope[];

  @InstantField({
    optional: true,
    about: 'When the key expires, no later than the calling key. Default: the expiry of the calling key.',
  })
  expiresAt?: string;
}

export class RotateApiKeyRequest {
  @IntegerField({
    min: 0,
    max: 1440,
    default: 0,
    optional: true,
    about: 'Minutes for which the previous secret remains valid.',
  })
  overlapMinutes?: number;
}

export class ApiKeyQuery extends SearchPageQuery {
  @OneOfField(KINDS, { optional: true, about: `${KIND} Default: workspace.` })
  kind?: KeyKind;
}

export class ApiKeyResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string', enum: KINDS })
  kind!: KeyKind;

  @ApiProperty({ type: 'string', nullable: true, description: 'null for a platform key.' })
  workspaceId!: string | null;

  @ApiProperty({ type: 'string' })
  name!: string;

  @ApiProperty({ type: 'string', enum: KEY_SCOPES, isArray: true })
  scopes!: KeyScope[];

  @ApiProperty({ type: 'string', description: 'The last four characters of the current secret.' })
  last4!: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Requests per window; null for the default of the installation.',
  })
  rateLimit!: number | null;

  @ApiProperty({ type: ActorResponse })
  createdBy!: ActorResponse;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'Last use, exact to one minute.' })
  lastUsedAt!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  expiresAt!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  revokedAt!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;
}

export class NewApiKeyResponse extends ApiKeyResponse {
  @ApiProperty({ type: 'string', description: 'The secret, shown only once.' })
  key!: string;
}

export function toApiKey(record: StoredKey): ApiKeyResponse {
  return {
    _id: record._id.toHexString(),
    kind: record.workspaceId ? 'workspace' : 'user',
    workspaceId: record.workspaceId?.toHexString() ?? null,
    name: record.name,
    scopes: [...record.scopes],
    last4: record.secrets[0]?.last4 ?? '',
    rateLimit: record.rateLimit,
    createdBy: toActor(record.createdBy),
    lastUsedAt: record.lastUsedAt?.toISOString() ?? null,
    expiresAt: record.expiresAt?.toISOString() ?? null,
    revokedAt: record.revokedAt?.toISOString() ?? null,
    createdAt: record.createdAt.toISOString(),
  };
}

export function toNewApiKey(record: StoredKey, key: string): NewApiKeyResponse {
  return Object.assign(toApiKey(record), { key });
}
