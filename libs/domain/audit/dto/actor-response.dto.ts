import { type Actor } from '@domain/access';
import { ApiProperty } from '@nestjs/swagger';

const KINDS: readonly Actor['kind'][] = ['user', 'workspace_key', 'operator', 'system'];

/** The actor of a change. */
export class ActorResponse implements Actor {
  @ApiProperty({
    type: 'string',
    enum: KINDS,
    description:
      "user: a person's platform key; workspace_key: a key of the workspace; operator: the operator of the installation; system: the platform itself.",
  })
  kind!: Actor['kind'];

  @ApiProperty({ type: 'string', nullable: true, description: 'The user, if known.' })
  userId!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The key that was used, if any.' })
  keyId!: string | null;
}

export function toActor({ kind, userId, keyId }: Actor): ActorResponse {
  return { kind, userId, keyId };
}
