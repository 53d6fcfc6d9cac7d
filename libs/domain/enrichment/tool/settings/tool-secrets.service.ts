import { type EnrichmentTable } from '@adapters/enrichment';
import { Injectable } from '@nestjs/common';
import { SecretBoxService } from '@platform/secrets';
import { type SetEnrichmentToolRequest } from '../dto/enrichment-tool.dto';
import { type EnrichmentToolRecord } from '../schemas/enrichment-tool.record';
import { type ToolSecret, toolSecretOwner } from './tool-secrets';

type Sealed = Pick<EnrichmentToolRecord, ToolSecret>;
type Given = Pick<SetEnrichmentToolRequest, ToolSecret>;

/** The secrets of tools: sealed where they are stored, opened where they are used. */
@Injectable()
export class ToolSecretsService {
  constructor(private readonly box: SecretBoxService) {}

  /**
   * What is to be stored of what was given. A token belongs to its address: with another address and without another token
   * there is none, so that nobody can have it sent to a place of his own.
   */
  changes(before: Sealed | null, workspaceId: string, given: Given): Partial<Sealed> {
    const { webhookUrl, signingSecret } = given;
    const isMoved =
      webhookUrl !== undefined && before !== null && webhookUrl !== this.#open(before, workspaceId, 'webhookUrl');
    const authToken = given.authToken === undefined && isMoved ? null : given.authToken;
    const seal = (secret: ToolSecret, text: string) => this.box.seal(text, toolSecretOwner(workspaceId, secret));
    return {
      ...(webhookUrl !== undefined && { webhookUrl: seal('webhookUrl', webhookUrl) }),
      ...(authToken !== undefined && { authToken: authToken === null ? null : seal('authToken', authToken) }),
      ...(signingSecret !== undefined && {
        signingSecret: signingSecret === null ? null : seal('signingSecret', signingSecret),
      }),
    };
  }

  /** Where rows go. @throws SecretOpenError when the key is gone */
  table(record: EnrichmentToolRecord): EnrichmentTable {
    const workspaceId = record.workspaceId.toHexString();
    return {
      webhookUrl: this.#open(record, workspaceId, 'webhookUrl') ?? '',
      authToken: this.#open(record, workspaceId, 'authToken'),
    };
  }

  /** With what results are signed; null when they are not. @throws SecretOpenError when the key is gone */
  signingSecret(record: EnrichmentToolRecord): string | null {
    return this.#open(record, record.workspaceId.toHexString(), 'signingSecret');
  }

  #open(record: Sealed, workspaceId: string, secret: ToolSecret): string | null {
    const sealed = record[secret];
    return sealed === null ? null : this.box.open(sealed, toolSecretOwner(workspaceId, secret));
  }
}
